package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.health.PartitionStatus;
import io.hapax.health.PartitionStatus.Pause;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver reports about its partitions, on a real broker. */
@Timeout(120)
class KafkaPartitionsTest extends WithReceivers {

  private static PartitionStatus only(KafkaReceiver<?, ?> receiver) {
    assertThat(receiver.partitions()).hasSize(1);
    return receiver.partitions().get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_slow_handler_shows_in_flight_messages_backpressure_and_both_lags(String protocol)
      throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a", "b", "c", "d", "e", "f", "g", "h");
    KafkaReceiver<String, String> receiver =
        start(topic, Map.of("group.protocol", protocol, "max.poll.records", 2), this::hold);

    await().atMost(BOUND).untilAsserted(() -> {
      PartitionStatus slow = only(receiver);
      assertThat(slow.partition()).isEqualTo(topic + "-0");
      assertThat(slow.inFlight()).isPositive();
      assertThat(slow.pause()).contains(Pause.BACKPRESSURE);
      assertThat(slow.commitLag()).isEqualTo(slow.inFlight() + slow.buffered());
      assertThat(slow.lag()).hasValue(8 - slow.commitLag());
    });
    goOn.countDown();

    await().atMost(BOUND).untilAsserted(() -> {
      PartitionStatus done = only(receiver);
      assertThat(done.inFlight()).isZero();
      assertThat(done.pause()).isEmpty();
      assertThat(done.commitLag()).isZero();
      assertThat(done.lag()).hasValue(0);
    });
    receiver.close();
    assertThat(receiver.partitions()).isEmpty();
  }

  @Test
  void a_partition_that_waits_for_another_consumer_is_deferred() throws Exception {
    String topic = Broker.topic(1);
    claimedByForeigner("a", Duration.ofSeconds(30));
    Broker.send(topic, 0, "a");

    KafkaReceiver<String, String> receiver = start(topic, this::record);

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(only(receiver).pause()).contains(Pause.DEFERRED));
  }
}
