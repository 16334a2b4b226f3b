package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import java.time.Duration;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a shutdown takes while a handler hangs, on a real broker. */
@Timeout(120)
class PushShutdownLimitTest extends WithConsumers {

  private static final Duration DRAIN = Duration.ofSeconds(2);
  private static final Duration LIMIT = DRAIN.plusSeconds(10);

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
