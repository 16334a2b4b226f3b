package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The measured consumers of Kafka, and what they are compared with. */
enum KafkaSubject implements RateTable.Subject {
  /** A loop that polls, calls a handler that does nothing, and commits. */
  BARE("bare poll loop", StoreKind.MEMORY),
  ENGINE("engine alone, marks in memory", StoreKind.MEMORY),
  MEMORY("KafkaReceiver, marks in memory", StoreKind.MEMORY, ENGINE),
  MEMORY_BATCH("KafkaReceiver, memory, batch handler", StoreKind.MEMORY, ENGINE),
  REDIS_STORE("Redis alone, claim + settle", StoreKind.REDIS, Operation.FRESH),
  REDIS("KafkaReceiver, leased in Redis", StoreKind.REDIS, REDIS_STORE),
  /** A loop with two commands of Redis for each record. */
  REDIS_BY_HAND("dedup by hand in Redis", StoreKind.REDIS),
  POSTGRES_STORE("PostgreSQL alone, runOnce", StoreKind.POSTGRES, Operation.RUN_ONCE),
  /** Marks and effects in transactions, the effects of a call in one statement. */
  POSTGRES_BATCH("KafkaReceiver, PostgreSQL, batch handler", StoreKind.POSTGRES, POSTGRES_STORE),
  /** The same with a statement for the effect of each record. */
  POSTGRES_EACH("KafkaReceiver, PostgreSQL, each record", StoreKind.POSTGRES, POSTGRES_STORE),
  LEASED_STORE("PostgreSQL alone, claim + settle", StoreKind.POSTGRES, Operation.FRESH),
  POSTGRES_LEASED("KafkaReceiver, leased in PostgreSQL", StoreKind.POSTGRES, LEASED_STORE),
  /** A loop that writes and commits a row for each record, without dedup. */
  NAIVE_EACH("naive loop, PostgreSQL, a commit a record", StoreKind.POSTGRES),
  /** A loop that writes the rows of a poll and commits them together, without dedup. */
  NAIVE_POLL("naive loop, PostgreSQL, a commit a poll", StoreKind.POSTGRES),
  /** A loop with a transaction for the id and the effect of each record. */
  POSTGRES_BY_HAND("dedup by hand in PostgreSQL", StoreKind.POSTGRES),
  KNOWN_REDIS_STORE("Redis alone, known ids", StoreKind.REDIS, Operation.KNOWN),
  KNOWN_REDIS("replay of known records, Redis", StoreKind.REDIS, KNOWN_REDIS_STORE),
  KNOWN_POSTGRES_STORE("PostgreSQL alone, known ids", StoreKind.POSTGRES, Operation.KNOWN),
  KNOWN_POSTGRES("replay of known records, PostgreSQL", StoreKind.POSTGRES, KNOWN_POSTGRES_STORE);

  private final String title;
  private final StoreKind store;
  private final @Nullable Operation operation;
  private final @Nullable KafkaSubject alone;

  KafkaSubject(String title, StoreKind store) {
    this(title, store, null, null);
  }

  KafkaSubject(String title, StoreKind store, Operation operation) {
    this(title, store, operation, null);
  }

  KafkaSubject(String title, StoreKind store, KafkaSubject alone) {
    this(title, store, null, alone);
  }

  KafkaSubject(
      String title, StoreKind store, @Nullable Operation operation, @Nullable KafkaSubject alone) {
    this.title = title;
    this.store = store;
    this.operation = operation;
    this.alone = alone;
  }

  @Override
  public String title() {
    return title;
  }

  /** Returns the server of its marks or effects; {@link StoreKind#MEMORY} without a server. */
  StoreKind store() {
    return store;
  }

  Optional<Operation> operation() {
    return Optional.ofNullable(operation);
  }

  /** Returns what a receiver's store, or its engine, does alone; empty for other subjects. */
  Optional<KafkaSubject> alone() {
    return Optional.ofNullable(alone);
  }

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

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
