package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a consumer that pulls is closed, on a real broker. */
@Timeout(120)
class PullCloseTest extends WithConsumers {

  @Test
  void a_close_that_may_take_for_ever_waits_for_the_handler_and_no_longer() throws Exception {
    createTopic(1);
    send("a");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DefaultLitePullConsumer consumer = pullConsumer(group);
    IdempotentReceiver<MessageExt> one =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, delivery -> {
          running.countDown();
          goOn.await();
          record(delivery);
        }));
    RocketMqPullReceiver receiver = open(RocketMqPullReceiver.builder(one, consumer)
        .subscribe(topic, ALL)
        .drainTimeout(ChronoUnit.FOREVER.getDuration())
        .start());
    running.await();
    Thread closing = new Thread(receiver::close);
    closing.start();
    await().atMost(BOUND).until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();

    closing.join(BOUND.toMillis());

    assertThat(closing.isAlive()).isFalse();
    assertThat(effects).containsExactly("a");
    await().atMost(BOUND).until(() -> committed(0) == 1);
  }
}
