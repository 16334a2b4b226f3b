package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.Outcome;
import io.hapax.RetrySettings;
import io.hapax.TooOldPolicy;
import io.hapax.mark.MarkState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
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
    consumer.registerMessageListener(open(IdempotentConcurrentListener.of(
        consumer,
        open(builder(consumer)
            .leasedBatches(store, IdempotentConcurrentListener.handler((messages, context) -> {
              calls.add(messages.stream().map(WithConsumers::body).toList());
              return listener.consumeMessage(messages, context);
            }))))));
    start(consumer);
    return consumer;
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
    consumer.registerMessageListener(open(IdempotentConcurrentListener.wrap(
        consumer, store, (messages, context) -> apply(messages))));
    start(consumer);

    await().atMost(BOUND).until(() -> effects.size() >= 3);
    send("a", "d");
    await().atMost(BOUND).until(() -> effects.contains("d"));
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void a_message_that_the_listener_wants_later_comes_again_and_our_attempts_count_it()
      throws Exception {
    createTopic(1);
    send("a");
    List<Integer> reconsumed = new CopyOnWriteArrayList<>();

    start(1, (messages, context) -> {
      reconsumed.add(messages.get(0).getReconsumeTimes());
      return reconsumed.size() < 3 ? ConsumeConcurrentlyStatus.RECONSUME_LATER : apply(messages);
    });

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(effects).containsExactly("a");
    assertThat(reconsumed).containsExactly(0, 1, 2);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(3);
  }

  @Test
  void of_a_batch_with_a_failure_in_the_middle_nothing_that_was_done_runs_again() throws Exception {
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

    await().atMost(BOUND).until(() -> effects.size() >= 4);
    await().atMost(BOUND).until(() -> isDone("d"));
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(count(Outcome.Duplicate.class)).isZero(); // what was done was not even sent back
  }

  @Test
  void what_stands_behind_a_failing_message_in_its_call_is_done_and_does_not_come_again()
      throws Exception {
    createTopic(1);
    send("a", "bad", "b", "bad", "c");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(5);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .retry(new RetrySettings(4, Duration.ofMillis(50), Duration.ofMillis(50)))
        .leased(store, delivery -> {
          if (body(delivery.message()).equals("bad")) {
            throw new IllegalStateException("no stock");
          }
          effects.add(body(delivery.message()));
        }));
    AtomicInteger most = new AtomicInteger();
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.of(consumer, receiver));
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      most.accumulateAndGet(messages.size(), Math::max);
      return listener.consumeMessage(messages, context);
    });
    start(consumer);

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 2);
    assertThat(most).hasValue(5);
    assertThat(effects).containsExactly("a", "b", "c");
    assertThat(count(Outcome.Duplicate.class)).isZero();
    assertThat(deferred(Outcome.Reason.BEHIND)).isLessThanOrEqualTo(4); // the second of the two
  }

  @Test
  void a_busy_message_in_the_middle_of_a_call_comes_again_no_sooner_than_its_lease_ends()
      throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("busy", Duration.ofSeconds(3));
    send("a", "busy", "b");
    List<Long> copies = new CopyOnWriteArrayList<>();
    AtomicLong handedOver = new AtomicLong();
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = open(IdempotentConcurrentListener.of(
        consumer,
        open(builder(consumer).leased(store, delivery -> effects.add(body(delivery.message()))))));
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      handedOver.compareAndSet(0, System.currentTimeMillis());
      messages.stream()
          .filter(message -> message.getReconsumeTimes() > 0)
          .forEach(message -> copies.add(message.getStoreTimestamp()));
      return listener.consumeMessage(messages, context);
    });
    start(consumer);

    await().atMost(BOUND).until(() -> !copies.isEmpty());
    assertThat(copies.get(0) - handedOver.get()).isGreaterThanOrEqualTo(3_000); // 1 s, if not told
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void copies_of_a_message_in_one_call_come_again_as_one() throws Exception {
    createTopic(1);
    Message copied = message("bad", "bad");
    send(copied);
    send(copied);
    copied.putUserProperty("tenant", "7"); // no copy: it has the same unique key all the same
    send(copied);
    List<Integer> handedOver = new CopyOnWriteArrayList<>();
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = open(IdempotentConcurrentListener.of(
        consumer, open(builder(consumer).leased(store, delivery -> {
          throw new IllegalStateException("no stock");
        }))));
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      handedOver.add(messages.size());
      return listener.consumeMessage(messages, context);
    });
    start(consumer);

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 2);
    assertThat(handedOver).startsWith(3);
    assertThat(handedOver.stream().mapToInt(it -> it).sum()).isLessThanOrEqualTo(3 + 2 + 2 + 1);
    assertThat(read("%DLQ%" + group, 1)).hasSize(1);
  }

  @Test
  void nothing_is_sent_back_of_a_queue_that_the_consumer_has_lost_meanwhile() throws Exception {
    createTopic(1);
    send("a", "bad", "b");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = open(IdempotentConcurrentListener.of(
        consumer, open(builder(consumer).leased(store, delivery -> {
          if (body(delivery.message()).equals("bad")) {
            ClientInside.giveUp(consumer, queue());
            throw new IllegalStateException("no stock");
          }
          effects.add(body(delivery.message()));
        }))));
    CountDownLatch answered = new CountDownLatch(1);
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      ConsumeConcurrentlyStatus status = listener.consumeMessage(messages, context);
      answered.countDown();
      return status;
    });
    start(consumer);

    assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(effects).containsExactly("a", "b");
    Message marker = message("marker", "marker");
    marker.setDelayTimeLevel(1);
    send(marker); // it waits in the broker behind whatever was sent back before it
    await().atMost(BOUND).until(() -> end(consumer, queue()) == 4);
    assertThat(end(consumer, new MessageQueue("%RETRY%" + group, "local", 0))).isZero();
  }

  private static long end(DefaultMQPushConsumer consumer, MessageQueue queue) throws Exception {
    return new ClientInside(consumer).api().getMaxOffset(broker(), queue, 10_000);
  }

  @Test
  void a_listener_of_batches_gets_only_the_messages_that_may_run() throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer first = start(4, (messages, context) -> apply(messages));
    await().atMost(BOUND).until(() -> effects.size() == 1);
    first.suspend();
    send("a", "b", "a", "c");
    first.resume();

    await().atMost(BOUND).until(() -> effects.size() >= 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(calls.stream().flatMap(List::stream)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_busy_message_is_deferred_as_often_as_it_takes_without_costing_an_attempt()
      throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1));
    send("a");
    List<Integer> attempts = new CopyOnWriteArrayList<>();

    receive(delivery -> {
      attempts.add(delivery.attempt());
      effects.add(body(delivery.message()));
    });
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 2);
    assertThat(effects).isEmpty();
    runClock(Duration.ZERO);

    await().atMost(BOUND).until(() -> effects.size() == 1);
    assertThat(attempts).containsExactly(1); // nor did the one that vanished with others
  }

  @Test
  void a_busy_message_is_sent_back_for_no_less_than_what_is_left_of_the_lease() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener = open(
        IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> apply(messages)));
    consumer.registerMessageListener(listener);
    start(consumer);
    claimedByAnother("a", Duration.ofSeconds(40));
    ConsumeConcurrentlyContext context = new ConsumeConcurrentlyContext(queue());

    assertThat(listener.consumeMessage(List.of(delivered("a")), context))
        .isEqualTo(ConsumeConcurrentlyStatus.RECONSUME_LATER);

    assertThat(context.getDelayLevelWhenNextConsume()).isEqualTo(15); // 1m, after 30s
    assertThat(effects).isEmpty();
  }

  @Test
  void a_message_that_fails_for_good_lies_in_the_dead_letter_topic_before_it_is_acknowledged()
      throws Exception {
    createTopic(1);
    Message poison = message("poison", "body");
    poison.setTags("blue");
    poison.putUserProperty("tenant", "7");
    send(poison);

    receive(delivery -> {
      effects.add("tried");
      throw new IllegalStateException("no such item");
    });

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    List<MessageExt> dead = read("%DLQ%" + group, 1);
    assertThat(dead).hasSize(1);
    assertThat(body(dead.get(0))).isEqualTo("body");
    assertThat(dead.get(0).getTags()).isEqualTo("blue");
    assertThat(dead.get(0).getProperties())
        .containsEntry("tenant", "7")
        .containsEntry("hapax-id", topic + "/poison")
        .containsEntry("hapax-attempts", "3")
        .containsEntry("hapax-kind", "ATTEMPTS_EXHAUSTED")
        .containsEntry("hapax-in-doubt", "true")
        .containsEntry("hapax-topic", topic);
    assertThat(dead.get(0).getProperty("hapax-detail"))
        .isEqualTo("java.lang.IllegalStateException: no such item");
    assertThat(dead.get(0).getProperty("hapax-coordinates")).startsWith("%RETRY%" + group + '-');
    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
    assertThat(effects).hasSize(3);
  }

  @Test
  void another_body_under_a_known_unique_key_is_no_duplicate_but_a_conflict() throws Exception {
    createTopic(1);
    Message reused = new Message(topic, "one".getBytes(StandardCharsets.UTF_8));
    send(reused);
    receive(delivery -> effects.add(body(delivery.message())));
    await().atMost(BOUND).until(() -> effects.size() == 1);

    reused.setBody("two".getBytes(StandardCharsets.UTF_8));
    send(reused);

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(read("%DLQ%" + group, 1))
        .extracting(WithConsumers::body, it -> it.getProperty("hapax-kind"))
        .containsExactly(tuple("two", "CONFLICT"));
    assertThat(effects).containsExactly("one");
  }

  @Test
  void a_message_that_is_older_than_the_retention_of_the_store_is_dead_lettered() throws Exception {
    createTopic(1);
    send("old");
    runClock(Duration.ofDays(9));
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.start(
        open(builder(consumer)
            .tooOld(TooOldPolicy.DEAD_LETTER)
            .leased(store, delivery -> effects.add(body(delivery.message())))),
        consumer));

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(read("%DLQ%" + group, 1))
        .extracting(it -> it.getProperty("hapax-kind"))
        .containsExactly("TOO_OLD");
    assertThat(effects).isEmpty();
  }

  @Test
  void a_message_that_the_client_sends_back_while_it_is_handled_does_not_run_twice()
      throws Exception {
    createTopic(1);
    send("slow");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger deliveries = new AtomicInteger();
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener = open(IdempotentConcurrentListener.of(
        consumer, open(builder(consumer).leased(store, delivery -> {
          running.countDown();
          goOn.await();
          effects.add(body(delivery.message()));
        }))));
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      deliveries.addAndGet(messages.size());
      return listener.consumeMessage(messages, context);
    });
    start(consumer);
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    consumer.setConsumeTimeout(0); // its sweep comes every minute at the least: done here by hand
    sweep(consumer);

    await().atMost(BOUND).until(() -> deliveries.get() == 2);
    goOn.countDown();
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 1);
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
