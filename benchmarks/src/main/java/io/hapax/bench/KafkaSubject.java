package io.hapax.bench;

import java.util.Locale;
import java.util.Optional;

/** The measured consumers of Kafka, and what they are compared with. */
enum KafkaSubject {
  /** A loop that polls, calls a handler that does nothing, and commits. */
  BARE("bare poll loop", Kind.LOOP),
  /** The engine with the in-memory store, without Kafka. */
  ENGINE("engine alone, marks in memory", Kind.ENGINE),
  /** A receiver with marks in memory. */
  MEMORY("KafkaReceiver, marks in memory", Kind.RECEIVER),
  /** The same with a handler of many records. */
  MEMORY_BATCH("KafkaReceiver, memory, batch handler", Kind.RECEIVER),
  /** Claims and settlements in Redis, without Kafka. */
  REDIS_STORE("Redis alone, claim + settle", Kind.STORE),
  /** A receiver with marks in Redis. */
  REDIS("KafkaReceiver, leased in Redis", Kind.RECEIVER),
  /** A loop with two commands of Redis for each record. */
  REDIS_BY_HAND("dedup by hand in Redis", Kind.LOOP),
  /** Marks and effects in transactions of PostgreSQL, without Kafka. */
  POSTGRES_STORE("PostgreSQL alone, runOnce", Kind.STORE),
  /** Marks and effects in transactions, the effects of a call in one statement. */
  POSTGRES_BATCH("KafkaReceiver, PostgreSQL, batch handler", Kind.RECEIVER),
  /** The same with a statement for the effect of each record. */
  POSTGRES_EACH("KafkaReceiver, PostgreSQL, each record", Kind.RECEIVER),
  /** Claims and settlements in PostgreSQL, without Kafka. */
  LEASED_STORE("PostgreSQL alone, claim + settle", Kind.STORE),
  /** A receiver with marks in PostgreSQL and without effects. */
  POSTGRES_LEASED("KafkaReceiver, leased in PostgreSQL", Kind.RECEIVER),
  /** A loop that writes and commits a row for each record, without dedup. */
  NAIVE_EACH("naive loop, PostgreSQL, a commit a record", Kind.LOOP),
  /** A loop that writes the rows of a poll and commits them together, without dedup. */
  NAIVE_POLL("naive loop, PostgreSQL, a commit a poll", Kind.LOOP),
  /** A loop with a transaction for the id and the effect of each record. */
  POSTGRES_BY_HAND("dedup by hand in PostgreSQL", Kind.LOOP),
  /** Claims of known ids in Redis, without Kafka. */
  KNOWN_REDIS_STORE("Redis alone, known ids", Kind.STORE),
  /** A receiver that reads known ids again, leased in Redis. */
  KNOWN_REDIS("replay of known records, Redis", Kind.RECEIVER),
  /** Claims of known ids in PostgreSQL, without Kafka. */
  KNOWN_POSTGRES_STORE("PostgreSQL alone, known ids", Kind.STORE),
  /** A receiver that reads known ids again, in transactions of PostgreSQL. */
  KNOWN_POSTGRES("replay of known records, PostgreSQL", Kind.RECEIVER);

  /** The kinds of subjects. */
  enum Kind {
    /** A poll loop as a user writes it. */
    LOOP,
    /** A {@link io.hapax.kafka.KafkaReceiver}. */
    RECEIVER,
    /** A store without Kafka. */
    STORE,
    /** The engine without Kafka. */
    ENGINE
  }

  private final String title;
  private final Kind kind;

  KafkaSubject(String title, Kind kind) {
    this.title = title;
    this.kind = kind;
  }

  String title() {
    return title;
  }

  Kind kind() {
    return kind;
  }

  /** Returns whether the subject reads from Kafka. */
  boolean consumes() {
    return kind == Kind.LOOP || kind == Kind.RECEIVER;
  }

  /** Returns whether all ids are known before. */
  boolean replays() {
    return name().startsWith("KNOWN_");
  }

  /** Returns whether its latency is measured: that of the bare loop and of each store. */
  boolean hasLatency() {
    return switch (this) {
      case BARE, MEMORY, REDIS, POSTGRES_BATCH, POSTGRES_LEASED -> true;
      default -> false;
    };
  }

  /** Returns the measured operation of a store alone; empty for other subjects. */
  Optional<Operation> operation() {
    return switch (this) {
      case REDIS_STORE, LEASED_STORE -> Optional.of(Operation.FRESH);
      case POSTGRES_STORE -> Optional.of(Operation.RUN_ONCE);
      case KNOWN_REDIS_STORE, KNOWN_POSTGRES_STORE -> Optional.of(Operation.KNOWN);
      default -> Optional.empty();
    };
  }

  /** Returns what a receiver's store, or its engine, does alone; empty for other subjects. */
  Optional<KafkaSubject> alone() {
    return switch (this) {
      case MEMORY, MEMORY_BATCH -> Optional.of(ENGINE);
      case REDIS -> Optional.of(REDIS_STORE);
      case POSTGRES_BATCH, POSTGRES_EACH -> Optional.of(POSTGRES_STORE);
      case POSTGRES_LEASED -> Optional.of(LEASED_STORE);
      case KNOWN_REDIS -> Optional.of(KNOWN_REDIS_STORE);
      case KNOWN_POSTGRES -> Optional.of(KNOWN_POSTGRES_STORE);
      default -> Optional.empty();
    };
  }

  /** Returns whether the marks are in Redis. */
  boolean onRedis() {
    return switch (this) {
      case REDIS, REDIS_STORE, REDIS_BY_HAND, KNOWN_REDIS, KNOWN_REDIS_STORE -> true;
      default -> false;
    };
  }

  /** Returns whether the marks or the effects are in PostgreSQL. */
  boolean onPostgres() {
    return switch (this) {
      case BARE, ENGINE, MEMORY, MEMORY_BATCH -> false;
      default -> !onRedis();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
