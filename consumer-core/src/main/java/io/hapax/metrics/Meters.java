package io.hapax.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of one consumer or store. All are registered at the start, one for each
 * value of a tag, so that an event that never happened is shown as zero and not as a gap.
 */
final class Meters {

  private final MeterRegistry registry;
  private final Tags owner;

  Meters(MeterRegistry registry, String ownerKey, String ownerName) {
    this.registry = registry;
    this.owner = Tags.of(ownerKey, ownerName);
  }

  Counter counter(String name, String unit, String description) {
    return counter(name, unit, description, Tags.empty());
  }

  private Counter counter(String name, String unit, String description, Tags tags) {
    return Counter.builder(name)
        .baseUnit(unit)
        .description(description)
        .tags(owner.and(tags))
        .register(registry);
  }

  /** Registers a counter for each value of a tag. */
  <E extends Enum<E>> Map<E, Counter> counters(
      String name, String unit, String description, String key, Class<E> values) {
    return each(values, value -> counter(name, unit, description, Tags.of(key, lowerCase(value))));
  }

  /** Registers a timer for each value of a tag. */
  <E extends Enum<E>> Map<E, Timer> timers(
      String name, String description, String key, Class<E> values, Tags tags) {
    return each(
        values,
        value -> Timer.builder(name)
            .description(description)
            .tags(owner.and(tags).and(key, lowerCase(value)))
            .register(registry));
  }

  Timer timer(Timer.Builder builder) {
    return builder.tags(owner).register(registry);
  }

  DistributionSummary summary(String name, String unit, String description, Tags tags) {
    return DistributionSummary.builder(name)
        .baseUnit(unit)
        .description(description)
        .tags(owner.and(tags))
        .register(registry);
  }

  /**
   * Registers a gauge of an object. A registry keeps the first gauge of a name, whose owner may
   * have been closed since; so the new gauge replaces it.
   */
  <T> void gauge(String name, String unit, String description, T of, ToDoubleFunction<T> figure) {
    registry.find(name).tags(owner).gauges().forEach(registry::remove);
    Gauge.builder(name, of, figure)
        .baseUnit(unit)
        .description(description)
        .tags(owner)
        .register(registry);
  }

  /** Registers a gauge that holds its supplier, and replaces a gauge of the same name. */
  void gauge(String name, String unit, String description, Supplier<Number> figure) {
    registry.find(name).tags(owner).gauges().forEach(registry::remove);
    Gauge.builder(name, figure)
        .baseUnit(unit)
        .description(description)
        .tags(owner)
        .register(registry);
  }

  /** A gauge for each value of a tag; each takes the place of one of its name and tag. */
  <E extends Enum<E>> void gauges(
      String name,
      String unit,
      String description,
      String key,
      Class<E> values,
      ToDoubleFunction<E> figure) {
    registry.find(name).tags(owner).gauges().forEach(registry::remove);
    for (E value : values.getEnumConstants()) {
      Gauge.builder(name, () -> figure.applyAsDouble(value))
          .baseUnit(unit)
          .description(description)
          .tags(owner.and(key, lowerCase(value)))
          .register(registry);
    }
  }

  static <E extends Enum<E>, T> Map<E, T> each(Class<E> values, Function<E, T> maker) {
    Map<E, T> all = new EnumMap<>(values);
    Arrays.stream(values.getEnumConstants()).forEach(value -> all.put(value, maker.apply(value)));
    return all;
  }

  static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the meter of a value; there is one for each. */
  static <E extends Enum<E>, T> T of(Map<E, T> meters, E value) {
    T meter = meters.get(value);
    if (meter == null) {
      throw new IllegalStateException("no meter for " + value);
    }
    return meter;
  }
}
