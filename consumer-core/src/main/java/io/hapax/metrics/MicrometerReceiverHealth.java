package io.hapax.metrics;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverHealth;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Shows the health of a consumer's receivers as gauges, with the tag {@code consumer}:
 * {@code MicrometerReceiverHealth.bind(registry, "billing", receiver)}. A gauge costs no call to
 * the store. {@link MicrometerReceiverListener} shows the number of stale marks.
 */
public final class MicrometerReceiverHealth {

  private final List<IdempotentReceiver<?>> receivers;

  private MicrometerReceiverHealth(List<IdempotentReceiver<?>> receivers) {
    this.receivers = receivers;
  }

  /**
   * Registers the gauges, and replaces the ones that this consumer had.
   *
   * @param registry the registry
   * @param consumer the consumer's name, as in the receiver's builder
   * @param receivers all receivers of that consumer in this process; a gauge shows the worst of
   *     them
   */
  public static void bind(
      MeterRegistry registry, String consumer, IdempotentReceiver<?>... receivers) {
    new MicrometerReceiverHealth(List.of(receivers))
        .register(new Meters(registry, "consumer", consumer));
  }

  private void register(Meters meters) {
    meters.gauge(
        "hapax.store.reachable",
        "ratio",
        "Whether the latest call to the store was answered",
        () -> healths().allMatch(ReceiverHealth::storeReachable) ? 1 : 0);
    meters.gauge(
        "hapax.receiver.troubles",
        "troubles",
        "Why nothing moves, or something does not: how many reasons",
        () -> healths().mapToInt(it -> it.troubles().size()).sum());
    meters.gauge(
        "hapax.settled.age",
        "seconds",
        "How long ago the store last took the end of a message",
        () -> longest(ReceiverHealth::sinceSettled).orElse(Double.NaN));
    meters.gauge(
        "hapax.unfinished.age",
        "seconds",
        "How long ago the oldest message without an outcome was handed in",
        () -> longest(ReceiverHealth::oldestUnfinished).orElse(0.0));
  }

  private Stream<ReceiverHealth> healths() {
    return receivers.stream().map(IdempotentReceiver::health);
  }

  private Optional<Double> longest(Function<ReceiverHealth, Optional<Duration>> age) {
    return healths()
        .flatMap(it -> age.apply(it).stream())
        .map(it -> it.toNanos() / 1e9)
        .max(Double::compare);
  }
}
