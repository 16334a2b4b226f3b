package io.hapax.console.data;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the latest result and the latest failure of a slow source for some seconds. One caller at a
 * time reads the source. The others wait for at most a second, because each of them blocks a thread
 * of the web server. Thread-safe.
 */
final class Recent<T> {

  private static final Duration KEPT = Duration.ofSeconds(10);
  private static final long WAIT_SECONDS = 1;

  private final Source<T> source;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong generation = new AtomicLong();
  private volatile Optional<Kept<T>> result = Optional.empty();
  private volatile Optional<Kept<RuntimeException>> failure = Optional.empty();

  Recent(Source<T> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /** Reads what a topic has. Fails if the topic does not exist, or the broker does not answer. */
  interface Source<T> {
    T read(String topic) throws Exception;
  }

  /** A result or a failure. Its generation is that of the moment at which the reading began. */
  private record Kept<V>(String topic, long generation, Instant at, V value) {}

  /**
   * Returns the kept result, or otherwise that of a new reading. Throws AuditFailedException if the
   * broker does not answer, or another caller still waits for it, and IllegalArgumentException if
   * the topic does not exist.
   */
  T get(String topic) throws Exception {
    Optional<T> known = known(topic);
    if (known.isPresent()) {
      return known.get();
    }
    if (!lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw Text.of(topic.isEmpty() ? "letters.store-hangs" : "letters.broker-hangs")
          .failure();
    }
    try {
      known = known(topic);
      return known.isPresent() ? known.get() : read(topic);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets the result and the failure, and those of a reading under way. Never waits for one. */
  void forget() {
    generation.incrementAndGet();
  }

  private Optional<T> known(String topic) {
    Optional<T> usable = usable(result, topic);
    if (usable.isEmpty()) {
      usable(failure, topic).ifPresent(why -> {
        throw why;
      });
    }
    return usable;
  }

  private <V> Optional<V> usable(Optional<Kept<V>> kept, String topic) {
    return kept.filter(it -> it.topic().equals(topic)
            && it.generation() == generation.get()
            && clock.instant().isBefore(it.at().plus(KEPT)))
        .map(Kept::value);
  }

  private T read(String topic) throws Exception {
    long begun = generation.get();
    Instant now = clock.instant();
    try {
      T read = source.read(topic);
      result = Optional.of(new Kept<>(topic, begun, now, read));
      return read;
    } catch (AuditFailedException | IllegalArgumentException e) {
      // from its end, so that callers who have waited for it do not wait once more
      failure = Optional.of(new Kept<>(topic, begun, clock.instant(), e));
      throw e;
    }
  }
}
