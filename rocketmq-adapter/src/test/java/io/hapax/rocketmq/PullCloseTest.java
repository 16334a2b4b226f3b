package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a consumer that pulls is closed, on a real broker. */
@Timeout(120)
class PullCloseTest extends WithConsumers {

  private static final Duration AT_ONCE = Duration.ofSeconds(20);

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

  @Test
  void a_reader_that_dies_says_so_although_the_client_takes_long_to_end() throws Exception {
    createTopic(1);
    send("a");
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean blocks = new AtomicBoolean();
    DefaultLitePullConsumer consumer = pullConsumer(group);
    consumer.setAllocateMessageQueueStrategy(new AllocateMessageQueueAveragely() {
      @Override
      public List<MessageQueue> allocate(
          String consumerGroup, String id, List<MessageQueue> queues, List<String> ids) {
        if (blocks.get()) {
          blocked.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
        return super.allocate(consumerGroup, id, queues, ids);
      }
    });
    IdempotentReceiver<MessageExt> one =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, this::record));
    RocketMqPullReceiver receiver =
        open(RocketMqPullReceiver.builder(one, consumer).subscribe(topic, ALL).start());
    await().atMost(BOUND).until(() -> isDone("a"));
    blocks.set(true);
    blocked.await(); // the client allocates anew every 20 s
    one.close();

    send("b");

    try {
      await()
          .atMost(AT_ONCE)
          .until(() -> receiver.problems().toString().contains("reading has ended"));
    } finally {
      goOn.countDown();
    }
  }
}
