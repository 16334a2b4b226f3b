package io.hapax.bench;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.bench.ThreadMeter.Cost;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Rounds of the engine, each with new messages and a new store, so that marks do not accumulate.
 * Submissions follow one another, like a poll loop, with lanes like the partitions of a poll.
 */
record EngineRounds(int batch, int lanes, int submissions) {

  /** Gives ids sixteen characters, as in the benchmark of the stores. */
  private static final long FIRST_ORDER = 1_000_000_000L;

  enum Subject {
    SINGLE("engine and store, a handler for each message"),
    BATCH("engine and store, a handler for many"),
    /** The store alone, with the same calls that the engine makes. */
    STORE("the store alone");

    private final String title;

    Subject(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  int messages() {
    return submissions * batch;
  }

  Cost cost(Subject subject) throws InterruptedException {
    DedupStore store = MemoryTarget.empty();
    return switch (subject) {
      case SINGLE -> receiving(builder -> builder.leased(store, delivery -> {}));
      case BATCH -> receiving(builder -> builder.leasedBatches(store, deliveries -> {}));
      case STORE -> claiming(store);
    };
  }

  private Cost claiming(DedupStore store) {
    List<List<ClaimRequest>> batches = IntStream.range(0, submissions)
        .mapToObj(i -> Messages.fresh(batch, false))
        .toList();
    ThreadMeter meter = new ThreadMeter();
    batches.forEach(it -> StoreTasks.settle(store, store.claim(it, Messages.LEASE)));
    return meter.cost(messages());
  }

  private Cost receiving(Function<ReceiverBuilder<Bytes>, IdempotentReceiver<Bytes>> kind)
      throws InterruptedException {
    try (IdempotentReceiver<Bytes> receiver = kind.apply(
        IdempotentReceiver.<Bytes>builder(Messages.SCOPE).id(Optional::of).noFingerprint())) {
      List<List<Incoming<Bytes>>> all = IntStream.range(0, submissions)
          .mapToObj(submission -> incoming(submission * batch))
          .toList();
      ThreadMeter meter = new ThreadMeter();
      for (List<Incoming<Bytes>> submission : all) {
        for (Outcome outcome : receiver.receive(submission, Messages.LEASE)) {
          if (!(outcome instanceof Outcome.Executed)) {
            throw new IllegalStateException("a fresh message came to " + outcome);
          }
        }
      }
      return meter.cost(messages());
    }
  }

  private List<Incoming<Bytes>> incoming(int first) {
    return IntStream.range(first, first + batch)
        .mapToObj(i -> {
          String lane = "orders-" + i % lanes;
          Bytes id = Bytes.utf8("order-" + (FIRST_ORDER + i));
          return new Incoming<>(id, lane, lane + "@" + i, false);
        })
        .toList();
  }
}
