package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several members of a group in one JVM, which brokers distinguish by their instance names. */
@Timeout(120)
class InstanceNamesTest extends WithConsumers {

  private RocketMqPullReceiver start(DefaultLitePullConsumer consumer) throws MQClientException {
    return open(pulling(consumer, this::record).subscribe(topic, ALL).start());
  }

  /** What the broker calls the members of the group: {@code address@instance}. */
  private List<String> members() throws Exception {
    return operator()
        .api()
        .getConsumerConnectionList(broker(), group, 10_000)
        .getConnectionSet()
        .stream()
        .map(connection -> connection.getClientId().split("@", -1)[1])
        .toList();
  }

  @Test
  void two_that_pull_keep_their_names_and_share_the_queues() throws Exception {
    createTopic(4);
    DefaultLitePullConsumer one = pullConsumer(group);
    DefaultLitePullConsumer two = pullConsumer(group);
    List<String> names = List.of("left-" + number, "right-" + number);
    one.setInstanceName(names.get(0));
    two.setInstanceName(names.get(1));

    start(one);
    start(two);

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(members()).containsExactlyInAnyOrderElementsOf(names));
    await()
        .atMost(BOUND)
        .until(() -> one.assignment().size() == 2 && two.assignment().size() == 2);
    send(texts("m", 20));
    await().atMost(BOUND).until(() -> count(Outcome.class) >= 20);
    assertThat(effects).doesNotHaveDuplicates();
    assertThat(count(Outcome.class)).isEqualTo(20);
  }

  @Test
  void an_instance_keeps_the_name_that_its_user_gave_it() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer received = consumer();
    DefaultMQPushConsumer wrapped = consumer();
    List<String> names = List.of(received.getInstanceName(), wrapped.getInstanceName());

    receive(received, this::record);
    start(
        wrapped,
        open(IdempotentConcurrentListener.wrap(wrapped, store, (messages, context) -> null)));

    assertThat(List.of(received.getInstanceName(), wrapped.getInstanceName())).isEqualTo(names);
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(members()).containsExactlyInAnyOrderElementsOf(names));
  }

  @Test
  void a_second_member_of_one_name_is_refused_and_the_first_continues() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer first = consumer();
    DefaultMQPushConsumer second = consumer();
    second.setInstanceName(first.getInstanceName());
    RocketMqReceiver receiver = receive(first, this::record);

    assertRefused(() -> receive(second, this::record));
    assertStillTakes();
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void nor_are_there_two_that_pull_of_the_same_name() throws Exception {
    createTopic(1);
    DefaultLitePullConsumer first = pullConsumer(group);
    DefaultLitePullConsumer second = pullConsumer(group);
    second.setInstanceName(first.getInstanceName());
    RocketMqPullReceiver receiver = start(first);

    assertRefused(() -> start(second));
    assertStillTakes();
    assertThat(receiver.problems()).isEmpty();
  }

  private void assertRefused(ThrowingCallable second) {
    assertThatThrownBy(second)
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("The consumer group[" + group + "] has been created before");
  }

  private void assertStillTakes() throws Exception {
    send("a");
    await().atMost(BOUND).until(() -> effects.contains("a"));
  }

  @Test
  void a_consumer_without_an_instance_name_gets_a_unique_one() throws Exception {
    createTopic(2);
    List<DefaultMQPushConsumer> consumers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DefaultMQPushConsumer consumer = consumer();
      consumer.setInstanceName("DEFAULT"); // as it is left
      receive(consumer, this::record);
      consumers.add(consumer);
    }

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(members())
            .containsExactlyInAnyOrder(
                consumers.get(0).getInstanceName(), consumers.get(1).getInstanceName())
            .doesNotContain("DEFAULT"));
  }
}
