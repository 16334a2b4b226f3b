package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Marks and effects in one local transaction, on a real broker. */
@Timeout(120)
class TransactionalListenerTest extends WithConsumers {

  @TempDir
  private Path directory;

  @Test
  void effects_happen_once_after_failed_batch_duplicates_and_replay() throws Exception {
    createTopic(1);
    send("a", "b", "c", "b", "d");
    AtomicInteger failures = new AtomicInteger();
    Shop shop = open(new Shop(directory));
    try (RocketMqReceiver first = receiveInTransactions(shop, failures)) {
      await().atMost(BOUND).until(() -> shop.written().size() == 4);
      assertThat(first.problems()).isEmpty();
    }
    rewind(0);

    receiveInTransactions(shop, failures);

    send("e");
    await().atMost(BOUND).until(() -> shop.written().contains("e"));
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 5);
    assertThat(shop.written()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    assertThat(failures.get()).isGreaterThanOrEqualTo(2);
  }

  /** Writes before it fails, so that only a rollback takes it away. */
  private RocketMqReceiver receiveInTransactions(Shop shop, AtomicInteger failures)
      throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(8);
    return open(RocketMqReceiver.start(
        open(builder(consumer)
            .transactional(shop.marks(), TransactionalHandler.forEach((connection, delivery) -> {
              String body = body(delivery.message());
              Shop.write(connection, body);
              if (body.equals("c") && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("no such item");
              }
            }))),
        consumer));
  }
}
