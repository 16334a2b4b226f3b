package io.hapax.bench;

/** Who lets messages take effect, and how often. */
enum RocketMqSubject {
  /** Nobody looks for duplicates. */
  BARE("bare listener"),
  /** One line around it, marks in a map. */
  MEMORY("Hapax, marks in memory"),
  /** One line around it, marks in Redis. */
  REDIS("Hapax, leased in Redis"),
  /** Marks and effects in one transaction of PostgreSQL; no effects here. */
  POSTGRES("Hapax, T1 in PostgreSQL"),
  /** What teams write themselves: for each message SET NX, the handler, SET. */
  ONE_BY_ONE("Redis, each message by itself");

  private final String title;

  RocketMqSubject(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
