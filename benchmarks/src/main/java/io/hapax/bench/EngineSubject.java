package io.hapax.bench;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The measured parts of the engine. */
enum EngineSubject {
  /** The handler takes one message. */
  SINGLE("engine and store, a handler for each message"),
  /** The handler takes all ready messages of a lane. */
  BATCH("engine and store, a handler for many"),
  /** The store alone, with the same calls that the engine makes. */
  STORE("the store alone");

  /** Gives ids sixteen characters, as in the benchmark of the stores. */
  private static final long FIRST_ORDER = 1_000_000_000L;

  private final String title;

  EngineSubject(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** A round that runs once and is closed. */
  interface Round extends AutoCloseable {
    void run() throws Exception;

    @Override
    default void close() {}
  }

  /**
   * The cost of one message.
   *
   * @param wallNanos elapsed time
   * @param cpuNanos CPU time of all threads
   * @param bytes allocated by all threads
   */
  record Cost(double wallNanos, double cpuNanos, double bytes) {

    static Cost of(int messages, long wallNanos, ThreadMeter.Use use) {
      return new Cost(
          (double) wallNanos / messages,
          (double) use.cpuNanos() / messages,
          (double) use.allocatedBytes() / messages);
    }

    /** Returns the median of each figure. */
    static Cost median(List<Cost> rounds) {
      return new Cost(
          Spread.median(rounds, Cost::wallNanos),
          Spread.median(rounds, Cost::cpuNanos),
          Spread.median(rounds, Cost::bytes));
    }

    Cost minus(Cost other) {
      return new Cost(wallNanos - other.wallNanos, cpuNanos - other.cpuNanos, bytes - other.bytes);
    }
  }

  /** Creates a round with its messages, and with a new store so that marks do not accumulate. */
  Round round(EngineSetup setup) {
    DedupStore store = MemoryTarget.empty();
    return switch (this) {
      case SINGLE -> receiving(setup, builder -> builder.leased(store, delivery -> {}));
      case BATCH -> receiving(setup, builder -> builder.leasedBatches(store, deliveries -> {}));
      case STORE -> claiming(setup, store);
    };
  }

  private static Round claiming(EngineSetup setup, DedupStore store) {
    Messages messages = new Messages(false);
    List<List<ClaimRequest>> batches = IntStream.range(0, setup.submissions())
        .mapToObj(i -> messages.fresh(setup.batch()))
        .toList();
    return () ->
        batches.forEach(batch -> StoreTasks.settle(store, store.claim(batch, Messages.LEASE)));
  }

  private static Round receiving(
      EngineSetup setup, Function<ReceiverBuilder<Bytes>, IdempotentReceiver<Bytes>> kind) {
    IdempotentReceiver<Bytes> receiver = kind.apply(
        IdempotentReceiver.<Bytes>builder(Messages.SCOPE).id(Optional::of).noFingerprint());
    List<List<Incoming<Bytes>>> submissions = IntStream.range(0, setup.submissions())
        .mapToObj(submission -> incoming(setup, submission * setup.batch()))
        .toList();
    return new Round() {
      @Override
      public void run() throws InterruptedException {
        for (List<Incoming<Bytes>> submission : submissions) {
          for (Outcome outcome : receiver.receive(submission, Messages.LEASE)) {
            if (!(outcome instanceof Outcome.Executed)) {
              throw new IllegalStateException("a fresh message came to " + outcome);
            }
          }
        }
      }

      @Override
      public void close() {
        receiver.close();
      }
    };
  }

  private static List<Incoming<Bytes>> incoming(EngineSetup setup, int first) {
    return IntStream.range(first, first + setup.batch())
        .mapToObj(i -> {
          int lane = i % setup.lanes();
          return new Incoming<>(
              Bytes.utf8("order-" + (FIRST_ORDER + i)),
              "orders-" + lane,
              "orders-" + lane + "@" + i,
              false);
        })
        .toList();
  }
}
