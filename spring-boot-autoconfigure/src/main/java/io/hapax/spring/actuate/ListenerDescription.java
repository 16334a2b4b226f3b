package io.hapax.spring.actuate;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.spring.listener.OpenReceiver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener, as the endpoint shows it. {@code waiting} counts at most 100 messages that hold back
 * others, and {@code oldestUnfinished} is an age in ISO-8601.
 */
public record ListenerDescription(
    String listener,
    String mode,
    String id,
    String store,
    boolean storeReachable,
    List<String> problems,
    int waiting,
    @Nullable String oldestUnfinished,
    @Nullable Shadow shadow) {

  /** A {@link ShadowReport} with {@code neededRetention} in ISO-8601. */
  public record Shadow(
      long marked,
      long failed,
      long duplicates,
      long concurrentCopies,
      long conflicts,
      long withoutIdentity,
      long unjudged,
      String neededRetention) {

    static Shadow of(ShadowReport report) {
      return new Shadow(
          report.marked(),
          report.failed(),
          report.duplicates(),
          report.concurrentCopies(),
          report.conflicts(),
          report.withoutIdentity(),
          report.unjudged(),
          report.neededRetention().toString());
    }
  }

  static ListenerDescription of(OpenReceiver open, List<String> ofContainers) {
    ReceiverHealth health = open.receiver().health();
    return new ListenerDescription(
        open.settings().listener(),
        open.mode(),
        open.settings().id(),
        open.store().getClass().getSimpleName(),
        health.storeReachable(),
        ReceiversHealth.joined(ReceiversHealth.of(open), ofContainers),
        health.waiting().size(),
        health.oldestUnfinished().map(Duration::toString).orElse(null),
        open.receiver().shadowReport().map(Shadow::of).orElse(null));
  }
}
