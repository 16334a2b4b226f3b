package io.hapax.operations.rocketmq;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What only messages of RocketMQ have: tags, flags, unique keys, retry topics, limits of bodies.
 */
@Isolated("changes the limit of bodies of the broker")
class RocketMqRedriveTest extends OperationsFixture {

  private static final RocketMqTestBroker ROCKET_MQ = RocketMqTestBroker.INSTANCE;
  private static final String LIMIT = "maxMessageSize";

  private final String letters = ROCKET_MQ.topic(1);

  RocketMqRedriveTest() {
    super(ROCKET_MQ);
  }

  @Test
  void a_message_that_died_in_the_retry_topic_comes_back_to_its_own_as_it_was() throws Exception {
    MessageExt retried = new MessageExt();
    retried.setTopic("%RETRY%billing");
    retried.setBody("body".getBytes(StandardCharsets.UTF_8));
    retried.setKeys("poison");
    retried.setTags("blue");
    retried.setFlag(7);
    retried.putUserProperty("tenant", "acme");
    MessageAccessor.putProperty(retried, MessageConst.PROPERTY_RETRY_TOPIC, topic);
    MessageAccessor.putProperty(retried, DeadLetterMessage.UNIQ_KEY, "7F01");
    settle("poison", new Verdict.Dead("no such item"));
    ROCKET_MQ.send(
        DeadLetterMessage.of(
            new DeadLetter<>(
                retried,
                "orders",
                "poison",
                "%RETRY%billing-local-0@7",
                3,
                DeadLetter.Kind.ATTEMPTS_EXHAUSTED,
                "",
                false),
            letters),
        0);
    Redriver redriver = redriver();

    assertThat(redrive(redriver, letters, RedriveSettings.to(topic)).published())
        .isEqualTo(1);

    List<MessageExt> all = await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              List<MessageExt> both = ROCKET_MQ.messages(topic, 0);
              both.addAll(ROCKET_MQ.messages(topic, 1));
              return both;
            },
            both -> !both.isEmpty());
    assertThat(all).singleElement().satisfies(revived -> {
      assertThat(revived.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("body");
      assertThat(revived.getKeys()).isEqualTo("poison");
      assertThat(revived.getTags()).isEqualTo("blue");
      assertThat(revived.getFlag()).isEqualTo(7);
      assertThat(revived.getProperty("tenant")).isEqualTo("acme");
      assertThat(revived.getProperty(DeadLetterMessage.UNIQ_KEY)).isEqualTo("7F01");
      assertThat(revived.getProperties().keySet()).noneMatch(name -> name.startsWith("hapax-"));
    });
  }

  @Test
  void of_a_body_above_the_broker_limit_an_operator_publishes_the_head() throws Exception {
    byte[] body = new byte[100_000];
    new Random(7).nextBytes(body); // cannot be compressed
    ROCKET_MQ.send(new Message(topic, "", "key", body), 0);
    vanishedWith("key", first(0));
    Redriver redriver = redriver();
    String before = limit();
    try {
      limit("50000");

      assertThat(redriver.deadLetter("key", letters)).isEqualTo(new Published());
    } finally {
      limit(before);
    }
    MessageExt dead = await()
        .atMost(30, SECONDS)
        .until(() -> ROCKET_MQ.messages(letters, 0), it -> !it.isEmpty())
        .get(0);
    assertThat(dead.getBody()).isEqualTo(Arrays.copyOf(body, 4_096));
    assertThat(dead.getProperty("hapax-body-bytes")).isEqualTo("100000");
    assertThat(mark("key").state()).isEqualTo(MarkState.DEAD);
  }

  private static String limit() throws Exception {
    return ROCKET_MQ.tools().api().getBrokerConfig(ROCKET_MQ.broker(), 10_000).getProperty(LIMIT);
  }

  private static void limit(String bytes) throws Exception {
    Properties change = new Properties();
    change.setProperty(LIMIT, bytes);
    ROCKET_MQ.tools().api().updateBrokerConfig(ROCKET_MQ.broker(), change, 10_000);
  }
}
