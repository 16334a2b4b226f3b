package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeaderV2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Messages that this client would not send, and their dead letters, on a real broker. */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD) // one of them lowers the broker's limit for a while
class DeadLetterTest extends WithConsumers {

  private static final String LIMIT = "maxMessageSize";

  /** The dead letter of the topic's one message. */
  private MessageExt deadLetter() throws Exception {
    receive(delivery -> {
      throw new RejectedMessageException("no such item");
    });
    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    List<MessageExt> dead = read("%DLQ%" + group, 1);
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).getProperty("hapax-detail")).contains("no such item");
    assertThat(dead.get(0).getProperty("hapax-id")).startsWith(topic).endsWith("/key");
    return dead.get(0);
  }

  @Test
  void a_message_without_a_body_gets_a_dead_letter_that_says_so() throws Exception {
    createTopic(1);
    sendPastTheClientsChecks(message("key", ""));

    MessageExt dead = deadLetter();

    assertThat(dead.getBody()).containsExactly(0);
    assertThat(dead.getProperty("hapax-body-bytes")).isEqualTo("0");
  }

  @Test
  void a_blank_property_stays_as_it_is() throws Exception {
    createTopic(1);
    Message message = message("key", "body");
    MessageAccessor.putProperty(message, "tenant", " ");
    send(message);

    MessageExt dead = deadLetter();

    assertThat(dead.getProperty("tenant")).isEqualTo(" ");
    assertThat(dead.getProperties()).doesNotContainKeys("hapax-body-bytes", "hapax-left-out");
  }

  @Test
  void properties_that_leave_no_room_are_left_out_by_name_the_longest_first() throws Exception {
    createTopic(1);
    Message message = message("key", "body");
    message.putUserProperty("long", "\u00e4".repeat(16_150));
    message.putUserProperty("tenant", "7");
    message.setTags("blue");
    send(message);

    MessageExt dead = deadLetter();

    assertThat(dead.getProperties())
        .containsEntry("hapax-left-out", "long")
        .containsEntry("tenant", "7")
        .doesNotContainKey("long");
    assertThat(dead.getTags()).isEqualTo("blue");
    assertThat(body(dead)).isEqualTo("body");
  }

  @Test
  void a_dead_letter_that_dies_again_still_says_what_was_cut_the_first_time() throws Exception {
    createTopic(1);
    Message first = message("key", "head");
    MessageAccessor.putProperty(first, "hapax-body-bytes", "100000");
    MessageAccessor.putProperty(first, "hapax-left-out", "long,tenant");
    first.putUserProperty("longer", "\u00e4".repeat(15_900));
    send(first);

    MessageExt dead = deadLetter();

    assertThat(body(dead)).isEqualTo("head");
    assertThat(dead.getProperties())
        .containsEntry("hapax-body-bytes", "100000")
        .containsEntry("hapax-left-out", "long,tenant,longer");
  }

  @Test
  void a_dead_letter_that_was_made_whole_and_dies_again_is_not_said_to_be_cut() throws Exception {
    createTopic(1);
    Message whole = message("key", "whole");
    MessageAccessor.putProperty(whole, "hapax-body-bytes", "5");
    MessageAccessor.putProperty(whole, "hapax-left-out", "tenant");
    whole.putUserProperty("tenant", "7");
    send(whole);

    assertThat(deadLetter().getProperties())
        .containsEntry("tenant", "7")
        .doesNotContainKeys("hapax-body-bytes", "hapax-left-out");
  }

  @Test
  void the_place_of_an_earlier_failure_is_forgotten() {
    MessageExt died = delivered("order");
    died.putUserProperty("tenant", "acme");
    MessageAccessor.putProperty(died, "hapax-failed-at", "com.shop.Billing.charge");

    Message record = DeadLetterMessage.of(
        new DeadLetter<>(
            died, "billing", "17", "orders-0@7", 0, DeadLetter.Kind.CONFLICT, "", false),
        "orders.dead");

    assertThat(record.getProperty("tenant")).isEqualTo("acme");
    assertThat(record.getProperty("hapax-kind")).isEqualTo("CONFLICT");
    assertThat(record.getProperty("hapax-failed-at")).isNull();
  }

  @Test
  void a_body_above_the_limit_of_the_consumers_client_is_published_as_a_whole() throws Exception {
    createTopic(1);
    String body = "six million ".repeat(500_000);
    sendLong(message("key", body));

    assertThat(body(deadLetter())).isEqualTo(body);
  }

  @Test
  void a_body_above_the_broker_limit_is_published_as_a_head() throws Exception {
    createTopic(1);
    byte[] body = new byte[100_000];
    new Random(7).nextBytes(body); // cannot be compressed
    send(new Message(topic, "", "key", body));
    String before = limit();
    try {
      limit("50000");

      MessageExt dead = deadLetter();

      assertThat(dead.getBody()).hasSize(4_096).isEqualTo(Arrays.copyOf(body, 4_096));
      assertThat(dead.getProperty("hapax-body-bytes")).isEqualTo("100000");
    } finally {
      limit(before);
    }
  }

  private static String limit() throws Exception {
    return operator().api().getBrokerConfig(broker(), 10_000).getProperty(LIMIT);
  }

  private static void limit(String bytes) throws Exception {
    Properties change = new Properties();
    change.setProperty(LIMIT, bytes);
    operator().api().updateBrokerConfig(broker(), change, 10_000);
  }

  /** Within a batch neither client nor broker look at the body. */
  private void sendPastTheClientsChecks(Message message) throws Exception {
    SendMessageRequestHeader header = new SendMessageRequestHeader();
    header.setProducerGroup("others");
    header.setTopic(topic);
    header.setDefaultTopic("TBW102");
    header.setDefaultTopicQueueNums(1);
    header.setQueueId(0);
    header.setSysFlag(0);
    header.setBornTimestamp(System.currentTimeMillis());
    header.setFlag(0);
    header.setBatch(true);
    RemotingCommand command = RemotingCommand.createRequestCommand(
        RequestCode.SEND_BATCH_MESSAGE,
        SendMessageRequestHeaderV2.createSendMessageRequestHeaderV2(header));
    command.setBody(MessageDecoder.encodeMessage(message));
    RemotingCommand answer =
        operator().api().getRemotingClient().invokeSync(broker(), command, 10_000);
    assertThat(answer.getCode()).as(answer.getRemark()).isEqualTo(ResponseCode.SUCCESS);
  }
}
