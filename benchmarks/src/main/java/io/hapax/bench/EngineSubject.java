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
  SINGLE("engine and store, a handler for each message") {
    @Override
    Round round(EngineSetup setup, DedupStore store) {
      return receiving(setup, builder -> builder.leased(store, delivery -> {}));
    }
  },
  /** The handler takes all ready messages of a lane. */
  BATCH("engine and store, a handler for many") {
    @Override
    Round round(EngineSetup setup, DedupStore store) {
      return receiving(setup, builder -> builder.leasedBatches(store, deliveries -> {}));
    }
  },
  /** The store alone, with the same calls that the engine makes. */
  STORE("the store alone") {
    @Override
    Round round(EngineSetup setup, DedupStore store) {
      Messages messages = new Messages(false);
      List<List<ClaimRequest>> batches = IntStream.range(0, setup.submissions())
          .mapToObj(i -> messages.fresh(setup.batch()))
          .toList();
      return () ->
          batches.forEach(batch -> StoreTasks.settle(store, store.claim(batch, Messages.LEASE)));
    }
  };

  /** Gives ids sixteen characters, as in the benchmark of the stores. */
  private static final long FIRST_ORDER = 1_000_000_000L;

  private final String title;

  EngineSubject(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Creates a round with its messages. */
  abstract Round round(EngineSetup setup, DedupStore store);

  /** A round that runs once and is closed. */
  interface Round extends AutoCloseable {
    void run() throws Exception;

    @Override
    default void close() {}
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
