package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a consumer that pulls begins if a time is set, on a real broker. */
@Timeout(120)
class PullFromTimeTest extends WithConsumers {

  @Test
  void a_topic_is_read_from_a_time_between_two_messages() throws Exception {
    createTopic(1);
    send("a", "b");
    Instant between = moment();
    send("c", "d");
    DefaultLitePullConsumer consumer = pullConsumer(group);

    open(RocketMqPullReceiver.builder(
            open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, this::record)),
            consumer)
        .assign(topic)
        .from(between)
        .start());

    await().atMost(BOUND).until(() -> effects.contains("d"));
    assertThat(effects).containsExactly("c", "d"); // a queue keeps its order: nothing came before
  }
}
