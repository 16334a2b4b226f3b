package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM whose receivers copy records dies while each is at another point. */
@Timeout(240)
class KafkaTransactionalCrashTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @TempDir
  private Path directory;

  @Test
  void whatever_the_crash_point_each_id_is_produced_once() throws Exception {
    String prefix = Broker.topic(1);
    for (CrashPoint point : CrashPoint.values()) {
      String topic = CopyingJvm.topic(prefix, point);
      Broker.create(topic, 1);
      Broker.create(CopyingJvm.output(topic), 1);
      Broker.send(topic, 0, "a", "b", "a", "c");
    }
    LocalRedis redis = LocalRedis.start();
    Process child = CopyingJvm.fork(
        Broker.bootstrapServers(), prefix, redis.uri(), directory.resolve("jvm.log"));
    try {
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).as(this::log).isTrue();
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(child.exitValue()).as(this::log).isEqualTo(CopyingJvm.KILLED);

    try (DedupStore marks = CopyingJvm.marks(redis.uri())) {
      List<KafkaTransactionalReceiver> receivers = new ArrayList<>();
      try {
        for (CrashPoint point : CrashPoint.values()) {
          receivers.add(CopyingJvm.start(
              Broker.bootstrapServers(), CopyingJvm.topic(prefix, point), marks, Optional.empty()));
        }
        for (CrashPoint point : CrashPoint.values()) {
          assertCopiedOnce(point.name(), CopyingJvm.topic(prefix, point), marks);
        }
      } finally {
        receivers.forEach(KafkaTransactionalReceiver::close);
      }
    }
  }

  private static void assertCopiedOnce(String point, String topic, DedupStore marks) {
    await(point).atMost(BOUND).until(() -> Broker.committed(topic, topic, 0) >= 4);
    assertThat(Broker.readCommitted(CopyingJvm.output(topic)))
        .as(point)
        .extracting(ConsumerRecord::value)
        .containsExactly("a", "b", "c");
    await(point)
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(states(topic, marks)).hasSize(3).containsOnly(MarkState.DONE));
  }

  private static List<MarkState> states(String consumer, DedupStore marks) {
    List<MessageKey> keys = List.of(
        MessageKey.of(consumer, "a"), MessageKey.of(consumer, "b"), MessageKey.of(consumer, "c"));
    return marks.find(keys).stream().flatMap(Optional::stream).map(Mark::state).toList();
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("jvm.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
