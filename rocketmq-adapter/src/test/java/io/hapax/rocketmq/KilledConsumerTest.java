package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer that dies before its client has written how far it is. */
@Timeout(300)
@Order(1) // of the longest, so that it does not begin last
class KilledConsumerTest extends WithConsumers {

  /** More than one transaction has, so that one is committed: they share a connection. */
  private static final int HANDLED = 40;

  @TempDir
  private Path directory;

  @ParameterizedTest(name = "pulls {0}")
  @ValueSource(booleans = {false, true})
  void messages_acknowledged_before_a_kill_take_no_second_effect(boolean pulls) throws Exception {
    int sent = 600;
    createTopic(2);
    send(texts("m", sent));
    Process child = pulls
        ? ConsumerJvm.startPulling(nameServer(), topic, group, directory)
        : ConsumerJvm.start(nameServer(), topic, group, directory);
    int handled = 0;
    try {
      while (handled < HANDLED && child.getInputStream().read() == '.') {
        handled++;
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(handled).as(Files.readString(ConsumerJvm.errors(directory))).isEqualTo(HANDLED);

    Shop shop = open(new Shop(directory));
    assertThat(shop.written()).as("it was killed in the middle").hasSizeLessThan(sent);
    if (pulls) {
      DefaultLitePullConsumer consumer = pullConsumer(group);
      open(RocketMqPullReceiver.builder(
              open(builder(consumer).transactional(shop.marks(), Shop.handler())), consumer)
          .subscribe(topic, ALL)
          .start());
    } else {
      DefaultMQPushConsumer consumer = consumer();
      open(RocketMqReceiver.start(
          open(builder(consumer).transactional(shop.marks(), Shop.handler())), consumer));
    }

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(shop.written()).hasSizeGreaterThanOrEqualTo(sent));
    assertThat(shop.written()).doesNotHaveDuplicates().hasSize(sent);
    if (!pulls) { // a loop that pulls writes by itself how far it is
      await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) > 0);
    }
  }
}
