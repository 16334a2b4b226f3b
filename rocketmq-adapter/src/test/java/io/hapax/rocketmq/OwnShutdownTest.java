package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shutdowns of consumers while messages are handled, and their duration. */
@Timeout(120)
class OwnShutdownTest extends WithConsumers {

  private static final Duration DRAIN = Duration.ofSeconds(2);
  private static final Duration LIMIT = DRAIN.plusSeconds(10);

  private final CountDownLatch two = new CountDownLatch(2);
  private final List<Integer> reconsumed = new CopyOnWriteArrayList<>();

  /** Two messages are handled at once, and the others of the topic wait for them. */
  private DefaultMQPushConsumer consumerOfTwoThreads() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeThreadMin(2);
    consumer.setConsumeThreadMax(2);
    return consumer;
  }

  private void listen(DefaultMQPushConsumer consumer, MessageHandler<MessageExt> handler)
      throws Exception {
    start(
        consumer,
        open(IdempotentConcurrentListener.of(
            consumer, open(builder(consumer).workers(2).leased(store, handler)))));
  }

  private void slowly(Delivery<MessageExt> delivery) throws InterruptedException {
    two.countDown();
    goOn.await();
    take(delivery);
  }

  private void take(Delivery<MessageExt> delivery) {
    reconsumed.add(delivery.message().getReconsumeTimes());
    record(delivery);
  }

  private void listenAgain() throws Exception {
    listen(consumer(), this::take);
  }

  @Test
  void its_shutdown_waits_for_what_runs_and_what_comes_afterwards_runs_once() throws Exception {
    createTopic(1);
    send(texts("m", 6));
    DefaultMQPushConsumer consumer = consumerOfTwoThreads();
    listen(consumer, this::slowly);
    assertThat(two.await(60, TimeUnit.SECONDS)).isTrue();

    Thread ending = new Thread(consumer::shutdown);
    ending.start();
    await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    ending.join(BOUND.toMillis());

    assertThat(ending.isAlive()).isFalse();
    int handled = effects.size();
    assertThat(handled).isGreaterThanOrEqualTo(2);
    assertThat(effects).allSatisfy(text -> assertThat(isDone(text)).isTrue());
    await().until(() -> stored(0) == handled);
    send("last");
    listenAgain();
    await().until(() -> effects.contains("last"));
    await().until(() -> effects.size() == 7);
    assertThat(effects).doesNotHaveDuplicates();
    assertThat(count(Outcome.Duplicate.class))
        .as("what was done does not come again")
        .isZero();
    assertThat(reconsumed).as("a copy that was sent back would have 1").containsOnly(0);
  }

  @Test
  void a_handler_that_outlives_shutdown_is_done_and_not_repeated() throws Exception {
    createTopic(1);
    send(texts("m", 6));
    DefaultMQPushConsumer consumer = consumerOfTwoThreads();
    consumer.setAwaitTerminationMillisWhenShutdown(500); // 20 s if it is not set
    listen(consumer, this::slowly);
    assertThat(two.await(60, TimeUnit.SECONDS)).isTrue();

    consumer.shutdown();
    assertThat(stored(0)).isZero();
    assertThat(effects).isEmpty();
    goOn.countDown();
    await().until(() -> isDone("m0") && isDone("m1"));

    listenAgain();
    await().until(() -> Stream.of(texts("m", 6)).allMatch(this::isDone));
    await().until(() -> count(Outcome.Duplicate.class) == 2);
    assertThat(effects).containsExactlyInAnyOrder(texts("m", 6));
    assertThat(reconsumed).containsOnly(0);
  }

  @AfterEach
  void goOn() {
    goOn.countDown();
  }

  private static Duration time(Runnable work) {
    long begin = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void receiver_and_consumer_end_within_the_drain_time_out_and_ten_seconds() throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> one =
        open(builder(consumer).drainTimeout(DRAIN).leased(store, this::hold));
    RocketMqReceiver receiver =
        open(RocketMqReceiver.builder(one, consumer).drainTimeout(DRAIN).start());
    awaitRunning();

    Duration took = time(() -> {
      receiver.close();
      one.close();
    });

    assertThat(took).isBetween(DRAIN, LIMIT);
  }

  @Test
  void a_wrapped_listener_does_not_wait_again_after_its_consumer_has() throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setAwaitTerminationMillisWhenShutdown(DRAIN.toMillis());
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          hangUnchecked();
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        }));
    start(consumer, listener);
    awaitRunning();

    Duration took = time(() -> {
      consumer.shutdown();
      listener.close();
    });

    assertThat(took).isBetween(DRAIN, LIMIT);
  }

  private void hangUnchecked() {
    running.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
