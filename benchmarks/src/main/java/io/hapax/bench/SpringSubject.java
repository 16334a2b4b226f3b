package io.hapax.bench;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The measured listeners of Spring Kafka. Each handles one record in a call. */
enum SpringSubject {
  /** A listener without a check for duplicates and without an effect. */
  BARE("bare listener", SpringListeners.Bare.class, null, 0),
  /** A usual check: one SET NX for each record, which loses a record when its process dies. */
  REDIS_BY_HAND("Redis, SET NX by hand", SpringListeners.RedisByHand.class, null, 0),
  /** {@code @Idempotent} with marks in Redis. */
  REDIS("@Idempotent, leased in Redis", SpringListeners.Leased.class, REDIS_BY_HAND, 3),
  /** A listener that writes a row for each record, in a transaction of its own. */
  NAIVE("PostgreSQL, a commit each", SpringListeners.Naive.class, null, 0),
  /** The same with a row for the record's id in the same transaction. */
  SQL_BY_HAND("PostgreSQL, id by hand", SpringListeners.SqlByHand.class, NAIVE, 0),
  /** {@code @Idempotent} in a transaction of Spring, with a row for each record. */
  TRANSACTIONAL("@Idempotent, transactional", SpringListeners.Transactional.class, NAIVE, 2);

  private final String title;
  private final Class<?> listener;
  private final @Nullable SpringSubject baseline;
  private final double aim;

  SpringSubject(String title, Class<?> listener, @Nullable SpringSubject baseline, double aim) {
    this.title = title;
    this.listener = listener;
    this.baseline = baseline;
    this.aim = aim;
  }

  String title() {
    return title;
  }

  /** Returns the class of the bean. */
  Class<?> listener() {
    return listener;
  }

  /** Returns whether Hapax wraps the listener. */
  boolean idempotent() {
    return this == REDIS || this == TRANSACTIONAL;
  }

  /** Returns how many times as fast as its baseline the listener should be; 0 without a target. */
  double aim() {
    return aim;
  }

  /** Returns how many times as fast as its baseline the listener is; empty for a baseline. */
  Optional<Double> times(Map<SpringSubject, Spread> rates) {
    return Optional.ofNullable(baseline)
        .map(base -> Objects.requireNonNull(rates.get(this)).median()
            / Objects.requireNonNull(rates.get(base)).median());
  }

  /** Returns whether the target was reached; empty without a target. */
  Optional<Boolean> reached(Map<SpringSubject, Spread> rates) {
    return times(rates).filter(it -> aim > 0).map(it -> it >= aim);
  }
}
