package io.hapax.bench;

/** The measured listeners. */
enum RocketMqSubject {
  /** A listener without a check for duplicates. */
  BARE("bare listener"),
  /** The listener wrapped by Hapax, with marks in memory. */
  MEMORY("Hapax, marks in memory"),
  /** The listener wrapped by Hapax, with marks in Redis. */
  REDIS("Hapax, leased in Redis"),
  /** Marks and effects in one transaction of PostgreSQL. There are no effects here. */
  POSTGRES("Hapax, T1 in PostgreSQL"),
  /** A usual self-written check: SET NX, the handler, and SET for each message. */
  ONE_BY_ONE("Redis, each message by itself");

  private final String title;

  RocketMqSubject(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
