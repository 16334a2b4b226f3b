package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often offsets are committed. */
class CommitsTest {

  private final ScriptedConsumer consumer = new ScriptedConsumer();
  private final Commits<String, String> commits = new Commits<>(consumer);
  private final AssignedPartition<String, String> partition =
      ScriptedConsumer.assigned(ScriptedConsumer.PARTITION);
  private final long now = System.nanoTime();
  private List<PolledMessage<ConsumerRecord<String, String>>> window = List.of();

  @BeforeEach
  void pollThreeRecords() {
    partition.polled(
        LongStream.range(0, 3)
            .mapToObj(it -> ScriptedConsumer.record(partition.partition(), it, Optional.empty()))
            .toList(),
        new OffsetAndMetadata(3));
    window = partition.offsets().take(3, now);
    send(Duration.ZERO);
    assertThat(consumer.asked).containsExactly(0L);
  }

  private void finish(int record) {
    partition.offsets().resolved(window.get(record), new Outcome.Executed(1, 1), now);
  }

  private void send(Duration later) {
    commits.send(List.of(partition), now + later.toNanos());
  }

  @Test
  void commits_are_50_ms_apart_while_records_are_unfinished() {
    finish(0);
    send(Duration.ofMillis(49));
    assertThat(consumer.asked).containsExactly(0L);

    send(Duration.ofMillis(50));
    assertThat(consumer.asked).containsExactly(0L, 1L);

    finish(1);
    send(Duration.ofMillis(99));
    assertThat(consumer.asked).containsExactly(0L, 1L);
  }

  @Test
  void the_last_record_is_committed_at_once() {
    window.forEach(it -> partition.offsets().resolved(it, new Outcome.Executed(1, 1), now));

    send(Duration.ofMillis(1));

    assertThat(consumer.asked).containsExactly(0L, 3L);
  }

  /** A broker that restarts leaves the group without a coordinator for a moment. */
  @Test
  void a_wake_that_was_meant_for_a_poll_only_delays_the_commit() {
    finish(0);
    consumer.wokenLateAsync = true;
    send(Duration.ofMillis(50));
    assertThat(consumer.asked).containsExactly(0L);

    send(Duration.ofMinutes(1));
    assertThat(consumer.asked).containsExactly(0L, 1L);
  }
}
