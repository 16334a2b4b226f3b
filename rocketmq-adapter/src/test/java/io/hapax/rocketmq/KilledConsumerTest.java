package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that dies before its client has written how far it is. */
@Timeout(300)
@Order(1) // of the longest, so that it does not begin last
class KilledConsumerTest extends WithConsumers {

  @TempDir
  private Path directory;

  @Test
  void messages_acknowledged_before_a_kill_take_no_second_effect() throws Exception {
    createTopic(2);
    send(IntStream.range(0, 30).mapToObj(i -> "m" + i).toArray(String[]::new));
    Process child = ConsumerJvm.start(nameServer(), topic, group, directory);
    int handled = 0;
    try {
      while (handled < 10 && child.getInputStream().read() == '.') {
        handled++;
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(handled).as(Files.readString(ConsumerJvm.errors(directory))).isEqualTo(10);

    Shop shop = open(new Shop(directory));
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.start(
        open(builder(consumer).transactional(shop.marks(), Shop.handler())), consumer));

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(shop.written()).hasSizeGreaterThanOrEqualTo(30));
    List<String> effects = shop.written();
    assertThat(effects).doesNotHaveDuplicates().hasSize(30);
    // What was acknowledged in memory only comes again.
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) > 0);
  }
}
