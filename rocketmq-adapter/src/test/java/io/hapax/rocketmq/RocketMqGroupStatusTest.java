package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.audit.GroupStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lag and the clients of a group. */
@Timeout(180)
class RocketMqGroupStatusTest extends WithConsumers {

  private GroupStatus status() throws InterruptedException {
    return replay().status(topic);
  }

  private RocketMqReplay replay() {
    return open(RocketMqReplay.of(client(new ClientConfig()), group));
  }

  /** Lets the service handle these messages, and ends it. */
  private void handled(String... keys) throws Exception {
    send(keys);
    try (RocketMqReceiver service = receive(it -> effects.add(body(it.message())))) {
      await().atMost(BOUND).until(() -> Set.of(keys).stream().allMatch(this::isDone));
      assertThat(service.problems()).isEmpty();
    }
    await().atMost(BOUND).until(() -> status().lag() == 0); // its client awaits no answer
  }

  @Test
  void the_lag_is_the_messages_behind_the_committed_offsets() throws Exception {
    createTopic(1);
    handled("a", "b");
    assertThat(status()).isEqualTo(new GroupStatus(0, 0));

    send("c");

    assertThat(status()).isEqualTo(new GroupStatus(1, 0));
  }

  @Test
  void a_topic_that_the_group_has_never_read_counts_as_a_whole() throws Exception {
    createTopic(1);
    handled("a");
    String other = "other-" + topic;
    createTopic(other, 1);
    for (String key : List.of("b", "c")) {
      send(new Message(other, "", key, key.getBytes(StandardCharsets.UTF_8)));
    }

    assertThat(replay().status(other)).isEqualTo(new GroupStatus(2, 0));
  }

  @Test
  void an_offset_beyond_the_end_is_no_negative_lag() throws Exception {
    createTopic(2);
    handled("a", "b");
    assertThat(status().lag()).isZero();
    commit(0, 100); // as after brokers that have lost the end of their log
    sendTo(1, "c");

    await().atMost(BOUND).until(() -> status().lag() == 1);
  }

  @Test
  void a_running_group_has_clients() throws Exception {
    createTopic(1);
    handled("a");
    try (RocketMqReceiver service = receive(it -> effects.add(body(it.message())))) {
      await().atMost(BOUND).until(() -> status().members() == 1);
      assertThat(service.problems()).isEmpty();
    }
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    createTopic(1);

    assertThatThrownBy(this::status)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group " + group + " does not exist");
    assertThatThrownBy(() -> replay().status("no-such-topic"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic no-such-topic does not exist");
  }

  private void commit(int queue, long offset) throws Exception {
    UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
    header.setConsumerGroup(group);
    header.setTopic(topic);
    header.setQueueId(queue);
    header.setCommitOffset(offset);
    operator().api().updateConsumerOffset(broker(), header, 10_000);
  }
}
