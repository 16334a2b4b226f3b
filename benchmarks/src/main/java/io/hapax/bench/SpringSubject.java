package io.hapax.bench;

/** The measured listeners of Spring Kafka. Each handles one record in a call. */
enum SpringSubject {
  /** A listener without a check for duplicates and without an effect. */
  BARE("bare listener", SpringListeners.Bare.class),
  /** A usual check: one SET NX for each record, which loses a record when its process dies. */
  REDIS_BY_HAND("Redis, SET NX by hand", SpringListeners.RedisByHand.class),
  /** {@code @Idempotent} with marks in Redis. */
  REDIS("@Idempotent, leased in Redis", SpringListeners.Leased.class),
  /** A listener that writes a row for each record, in a transaction of its own. */
  NAIVE("PostgreSQL, a commit each", SpringListeners.Naive.class),
  /** The same with a row for the record's id in the same transaction. */
  SQL_BY_HAND("PostgreSQL, id by hand", SpringListeners.SqlByHand.class),
  /** {@code @Idempotent} in a transaction of Spring, with a row for each record. */
  TRANSACTIONAL("@Idempotent, transactional", SpringListeners.Transactional.class);

  private final String title;
  private final Class<?> listener;

  SpringSubject(String title, Class<?> listener) {
    this.title = title;
    this.listener = listener;
  }

  String title() {
    return title;
  }

  /** Returns whether Hapax wraps the listener. */
  boolean idempotent() {
    return this == REDIS || this == TRANSACTIONAL;
  }

  /** Returns the class of the bean. */
  Class<?> listener() {
    return listener;
  }
}
