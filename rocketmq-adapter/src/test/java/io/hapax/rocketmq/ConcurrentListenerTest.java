package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.adapter.Outcome;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that its user has already, on a real broker. */
@Timeout(120)
class ConcurrentListenerTest extends WithConsumers {

  private final List<List<String>> calls = new CopyOnWriteArrayList<>();

  private DefaultMQPushConsumer start(int batch, MessageListenerConcurrently listener)
      throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(batch);
    start(
        consumer,
        open(IdempotentConcurrentListener.of(
            consumer,
            open(builder(consumer)
                .leasedBatches(
                    store, IdempotentConcurrentListener.batchHandler((messages, context) -> {
                      calls.add(messages.stream().map(WithConsumers::body).toList());
                      return listener.consumeMessage(messages, context);
                    }))))));
    return consumer;
  }

  private IdempotentConcurrentListener wrap(DefaultMQPushConsumer consumer) {
    return open(
        IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> apply(messages)));
  }

  private ConsumeConcurrentlyStatus apply(List<MessageExt> messages) {
    messages.forEach(message -> effects.add(body(message)));
    return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
  }

  @Test
  void one_line_lets_a_message_that_was_sent_twice_take_effect_once() throws Exception {
    createTopic(2);
    send("a", "b", "a", "c", "b");

    DefaultMQPushConsumer consumer = consumer();
    start(consumer, wrap(consumer));

    await().until(() -> effects.size() >= 3);
    send("a", "d");
    await().until(() -> effects.contains("d"));
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void messages_of_one_key_with_different_tags_all_take_effect() throws Exception {
    createTopic(1);
    for (String tag : List.of("CREATED", "PAID", "PAID", "CANCELLED")) {
      send(new Message(topic, tag, "17", "order 17".getBytes(StandardCharsets.UTF_8)));
    }

    DefaultMQPushConsumer consumer = consumer();
    start(consumer, open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
      messages.forEach(message -> effects.add(message.getTags()));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    })));

    await().until(() -> effects.containsAll(List.of("CREATED", "PAID", "CANCELLED")));
    assertThat(effects).containsExactlyInAnyOrder("CREATED", "PAID", "CANCELLED");
  }

  @Test
  void reconsume_later_redelivers_a_message_and_counts_an_attempt() throws Exception {
    createTopic(1);
    send("a");
    List<Integer> reconsumed = new CopyOnWriteArrayList<>();

    start(1, (messages, context) -> {
      reconsumed.add(messages.get(0).getReconsumeTimes());
      return reconsumed.size() < 3 ? ConsumeConcurrentlyStatus.RECONSUME_LATER : apply(messages);
    });

    await().until(() -> isDone("a"));
    assertThat(effects).containsExactly("a");
    assertThat(reconsumed).containsExactly(0, 1, 2);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(3);
  }

  @Test
  void a_failure_inside_a_batch_repeats_no_completed_message() throws Exception {
    createTopic(1);
    send("a", "b", "c", "d");
    AtomicInteger failures = new AtomicInteger();

    start(4, (messages, context) -> {
      int middle = messages.stream().map(WithConsumers::body).toList().indexOf("c");
      if (middle >= 0 && failures.getAndIncrement() == 0) {
        apply(messages.subList(0, middle));
        context.setAckIndex(middle - 1);
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      }
      return apply(messages);
    });

    await().until(() -> effects.size() >= 4);
    await().until(() -> isDone("d"));
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(count(Outcome.Duplicate.class)).isZero(); // what was done was not even sent back
  }

  @Test
  void a_listener_of_batches_gets_only_the_messages_that_may_run() throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer first = start(4, (messages, context) -> apply(messages));
    await().until(() -> effects.size() == 1);
    first.suspend();
    send("a", "b", "a", "c");
    first.resume();

    await().until(() -> effects.size() >= 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(calls.stream().flatMap(List::stream)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_busy_message_is_sent_back_for_no_less_than_what_is_left_of_the_lease() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener = wrap(consumer);
    start(consumer, listener);
    claimedByAnother("a", Duration.ofSeconds(40));
    ConsumeConcurrentlyContext context = new ConsumeConcurrentlyContext(queue());

    assertThat(listener.consumeMessage(List.of(delivered("a")), context))
        .isEqualTo(ConsumeConcurrentlyStatus.RECONSUME_LATER);

    assertThat(context.getDelayLevelWhenNextConsume()).isEqualTo(15); // 1m, after 30s
    assertThat(effects).isEmpty();
  }

  @Test
  void a_failed_message_is_dead_lettered_before_it_is_acknowledged() throws Exception {
    createTopic(1);
    Message poison = message("poison", "body");
    poison.setTags("blue");
    poison.putUserProperty("tenant", "7");
    send(poison);

    receive(delivery -> {
      effects.add("tried");
      throw new IllegalStateException("no such item");
    });

    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    List<MessageExt> dead = read("%DLQ%" + group, 1);
    assertThat(dead).hasSize(1);
    assertThat(body(dead.get(0))).isEqualTo("body");
    assertThat(dead.get(0).getTags()).isEqualTo("blue");
    assertThat(dead.get(0).getProperties())
        .containsEntry("tenant", "7")
        .containsEntry("hapax-id", topic + ":blue/poison")
        .containsEntry("hapax-attempts", "3")
        .containsEntry("hapax-kind", "ATTEMPTS_EXHAUSTED")
        .containsEntry("hapax-in-doubt", "true")
        .containsEntry("hapax-topic", topic);
    assertThat(dead.get(0).getProperty("hapax-detail"))
        .isEqualTo("java.lang.IllegalStateException: no such item");
    assertThat(dead.get(0).getProperty("hapax-coordinates")).startsWith("%RETRY%" + group + '-');
    assertThat(store.find(List.of(MessageKey.of(group, topic + ":blue/poison"))).get(0))
        .hasValueSatisfying(mark -> assertThat(mark.state()).isEqualTo(MarkState.DEAD));
    assertThat(effects).hasSize(3);
  }

  @Test
  void another_body_under_a_known_unique_key_is_no_duplicate_but_a_conflict() throws Exception {
    createTopic(1);
    Message reused = new Message(topic, "one".getBytes(StandardCharsets.UTF_8));
    send(reused);
    receive(this::record);
    await().until(() -> effects.size() == 1);

    reused.setBody("two".getBytes(StandardCharsets.UTF_8));
    send(reused);

    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(read("%DLQ%" + group, 1))
        .extracting(WithConsumers::body, it -> it.getProperty("hapax-kind"))
        .containsExactly(tuple("two", "CONFLICT"));
    assertThat(effects).containsExactly("one");
  }

  @Test
  void a_message_sent_back_while_it_is_handled_does_not_run_twice() throws Exception {
    createTopic(1);
    send("slow");
    AtomicInteger deliveries = new AtomicInteger();
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener = listener(consumer, this::hold);
    start(consumer, (messages, context) -> {
      deliveries.addAndGet(messages.size());
      return listener.consumeMessage(messages, context);
    });
    awaitRunning();

    consumer.setConsumeTimeout(0); // its sweep comes every minute at the least: done here by hand
    sweep(consumer);

    await().until(() -> deliveries.get() == 2);
    goOn.countDown();
    await().until(() -> count(Outcome.Duplicate.class) == 1);
    assertThat(effects).containsExactly("slow");
  }

  @SuppressWarnings("deprecation")
  private static void sweep(DefaultMQPushConsumer consumer) {
    consumer
        .getDefaultMQPushConsumerImpl()
        .getRebalanceImpl()
        .getProcessQueueTable()
        .values()
        .forEach(queue -> queue.cleanExpiredMsg(consumer));
  }
}
