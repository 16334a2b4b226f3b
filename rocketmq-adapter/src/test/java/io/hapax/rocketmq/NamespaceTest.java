package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose marks a consumer's are that has a namespace, and what its messages are called. */
@Timeout(180)
@SuppressWarnings("deprecation") // the old kind of namespace is, and still works
class NamespaceTest extends WithConsumers {

  private static final String ONE = "one";
  private static final String TWO = "two";

  private void createTopicIn(String namespace, int queues) {
    createTopic(namespace + '%' + topic, queues);
  }

  private void sendIn(String namespace, String... texts) throws Exception {
    for (String text : texts) {
      send(new Message(namespace + '%' + topic, "", text, text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private DefaultMQPushConsumer consumerIn(String namespace) throws MQClientException {
    return fromBeginning(clientIn(namespace, new DefaultMQPushConsumer(group)));
  }

  private static <C extends ClientConfig> C clientIn(String namespace, C client) {
    client(client).setNamespace(namespace);
    return client;
  }

  /** The state of a message's mark, of the consumer of that name. */
  private Optional<MarkState> state(String consumer, String key) {
    return store
        .find(List.of(MessageKey.of(consumer, topic + '/' + key)))
        .get(0)
        .map(Mark::state);
  }

  /** Begins to consume as that consumer, and notes effects as {@code namespace/body}. */
  private interface Wrapping {
    void start(DefaultMQPushConsumer consumer, String namespace) throws Exception;
  }

  private IdempotentConcurrentListener concurrently(
      DefaultMQPushConsumer consumer, String namespace) {
    return open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
      messages.forEach(message -> effects.add(namespace + '/' + body(message)));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    }));
  }

  private void sameGroupAndIdInTwo(Wrapping wrapping) throws Exception {
    for (String namespace : List.of(ONE, TWO)) {
      createTopicIn(namespace, 1);
      sendIn(namespace, "17");
      wrapping.start(consumerIn(namespace), namespace);
      await().until(() -> effects.contains(namespace + "/17"));
    }

    assertThat(effects).containsExactly("one/17", "two/17");
    for (String namespace : List.of(ONE, TWO)) {
      await()
          .untilAsserted(
              () -> assertThat(state(namespace + '%' + group, "17")).contains(MarkState.DONE));
    }
  }

  @Test
  void a_wrapped_listener_shares_no_marks_with_its_group_in_another_namespace() throws Exception {
    sameGroupAndIdInTwo((consumer, namespace) -> {
      start(consumer, concurrently(consumer, namespace));
    });
  }

  @Test
  void nor_does_a_wrapped_listener_that_keeps_order() throws Exception {
    sameGroupAndIdInTwo((consumer, namespace) -> {
      consumer.registerMessageListener(open(IdempotentOrderlyListener.wrap(
          consumer, store, (messages, context) -> {
            messages.forEach(message -> effects.add(namespace + '/' + body(message)));
            return ConsumeOrderlyStatus.SUCCESS;
          })));
      start(consumer);
    });
  }

  @Test
  void a_message_in_mid_call_is_redelivered_in_its_namespace() throws Exception {
    createTopicIn(ONE, 1);
    for (String text : List.of("first", "middle", "last")) {
      sendIn(ONE, text);
    }
    DefaultMQPushConsumer consumer = consumerIn(ONE);
    consumer.setConsumeMessageBatchMaxSize(3);
    start(consumer, listener(consumer, delivery -> {
      if (body(delivery.message()).equals("middle") && delivery.attempt() == 1) {
        throw new IllegalStateException("no stock");
      }
      record(delivery);
    }));

    await().until(() -> effects.contains("middle"));
    assertThat(effects).containsExactlyInAnyOrder("first", "last", "middle").endsWith("middle");
    assertThat(count(Outcome.Duplicate.class)).isZero();
  }

  /** This broker takes no notice of it; those that do keep such consumers apart. */
  @Test
  void nor_does_one_whose_namespace_is_of_the_new_kind() throws Exception {
    createTopic(1);
    send("17");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setNamespaceV2(TWO);
    start(consumer, concurrently(consumer, TWO));

    await().until(() -> effects.contains("two/17"));
    await().untilAsserted(() -> assertThat(state("two%" + group, "17")).contains(MarkState.DONE));
  }

  @Test
  void the_name_of_a_consumer_is_the_same_before_and_after_its_start() throws Exception {
    DefaultMQPushConsumer old = consumerIn(ONE);
    DefaultMQPushConsumer both = consumerIn(ONE);
    both.setNamespaceV2(TWO);

    for (DefaultMQPushConsumer consumer : List.of(old, both)) {
      String before = ClientInternals.consumerName(consumer);
      String instance = consumer.getInstanceName();
      start(consumer, (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);

      assertThat(ClientInternals.consumerName(consumer)).isEqualTo(before);
      assertThat(consumer.getInstanceName()).isEqualTo(instance);
      assertThat(consumer.getConsumerGroup()).isEqualTo("one%" + group);
    }
    assertThat(ClientInternals.consumerName(old)).isEqualTo("one%" + group);
    assertThat(ClientInternals.consumerName(both)).isEqualTo("two%one%" + group);
    assertThat(ClientInternals.consumerName(consumer())).isEqualTo(group);
  }

  @Test
  void a_namespace_set_after_wrapping_stops_the_listener_and_is_named() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "17");
    DefaultMQPushConsumer consumer = client(new DefaultMQPushConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    IdempotentConcurrentListener listener = concurrently(consumer, ONE);
    List<Problem> problems = new CopyOnWriteArrayList<>();
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      ConsumeConcurrentlyStatus answer = listener.consumeMessage(messages, context);
      problems.addAll(listener.problems());
      return answer;
    });

    clientIn(ONE, consumer).subscribe(topic, ALL);
    start(consumer);

    await().until(() -> !problems.isEmpty());
    assertThat(problems.get(0).text())
        .isEqualTo("the listener was wrapped for " + group + ", but its consumer is one%" + group
            + " now: set its group, namespace and name server before wrap(..)");
    assertThat(effects).isEmpty();
  }

  @Test
  void a_dead_letter_keeps_its_id_in_the_namespace_of_the_group() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "17");
    DefaultMQPushConsumer consumer = consumerIn(ONE);
    List<String> topics = new CopyOnWriteArrayList<>();
    receive(consumer, delivery -> {
      topics.add(delivery.message().getTopic() + ' ' + delivery.message().getReconsumeTimes());
      throw new IllegalStateException("no such item");
    });

    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(topics).containsExactly(topic + " 0", topic + " 1", topic + " 2");
    assertThat(read("%DLQ%one%" + group, 1)).singleElement().satisfies(dead -> {
      assertThat(dead.getProperties())
          .containsEntry("hapax-id", topic + "/17")
          .containsEntry("hapax-attempts", "3")
          .containsEntry("hapax-topic", topic);
      assertThat(dead.getProperty("hapax-coordinates")).startsWith("%RETRY%one%" + group + '-');
    });
    assertThat(mark("17").claim().attempt().number()).isEqualTo(3);
  }

  @Test
  void a_pull_consumer_takes_and_commits_a_message_of_its_namespace() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "17", "18", "17");

    try (RocketMqPullReceiver first = pull()) {
      await().until(() -> count(Outcome.class) == 3);
      assertThat(first.problems()).isEmpty();
    }
    sendIn(ONE, "19");
    pull();

    await().until(() -> effects.contains("19") && count(Outcome.class) >= 4);
    assertThat(effects).containsExactly("17", "18", "19");
    assertThat(count(Outcome.class))
        .as("what was committed does not come again")
        .isEqualTo(4);
  }

  private DefaultLitePullConsumer pullConsumer() {
    return fromBeginning(clientIn(ONE, new DefaultLitePullConsumer(group)));
  }

  private RocketMqPullReceiver pull() throws Exception {
    return open(pulling(pullConsumer(), this::record).subscribe(topic, ALL).start());
  }

  private RocketMqPullReceiver reject(
      DefaultLitePullConsumer consumer, RocketMqDeadLetterPublisher deadLetters) throws Exception {
    return open(RocketMqPullReceiver.builder(
            open(builder(deadLetters).leased(store, delivery -> {
              throw new RejectedMessageException("no such item");
            })),
            consumer)
        .subscribe(topic, ALL)
        .start());
  }

  @Test
  void dead_letters_go_to_topics_of_the_namespace_and_keep_their_ids() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "17");
    DefaultLitePullConsumer unnamed = pullConsumer();
    try (RocketMqPullReceiver first = reject(unnamed, RocketMqDeadLetterPublisher.of(unnamed))) {
      await().until(() -> count(Outcome.DeadLettered.class) == 1);
      assertThat(first.problems()).isEmpty();
    }
    sendIn(ONE, "18");
    DefaultLitePullConsumer named = pullConsumer();
    reject(named, RocketMqDeadLetterPublisher.to("graves-" + number, named));
    await().until(() -> count(Outcome.DeadLettered.class) == 2);

    assertThat(read("%DLQ%one%" + group, 1))
        .extracting(dead -> dead.getProperty("hapax-id"))
        .containsExactly(topic + "/17");
    assertThat(read("one%graves-" + number, 1))
        .extracting(dead -> dead.getProperty("hapax-id"))
        .containsExactly(topic + "/18");
  }
}
