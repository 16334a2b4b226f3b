package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.stream.LongStream;

/** The tasks of the store in leased mode. */
final class StoreTasks {

  private StoreTasks() {}

  /** Returns the contenders of leased mode. */
  static List<Contender> leased(DedupStore store, Messages messages, int batch, long known) {
    return List.of(
        new Contender(
            Operation.FRESH,
            Role.HAPAX,
            batch,
            () -> messages.fresh(batch),
            () -> new ClaimAndSettle(store)),
        Contender.of(
            Operation.KNOWN,
            Role.HAPAX,
            batch,
            () -> messages.known(batch, known),
            requests -> claimKnown(store, requests)));
  }

  /** Claims messages that are done. */
  private static void claimKnown(DedupStore store, List<ClaimRequest> batch) {
    for (ClaimAnswer answer : store.claim(batch, Messages.LEASE)) {
      if (!(answer instanceof ClaimAnswer.Done)) {
        throw new IllegalStateException("a known message was answered " + answer);
      }
    }
  }

  static void fill(DedupStore store, Messages messages, long from, long to, int batch) {
    for (long first = from; first < to; first += batch) {
      long last = Math.min(to, first + batch);
      List<ClaimRequest> requests =
          LongStream.range(first, last).mapToObj(messages::known).toList();
      settle(store, store.claim(requests, Messages.LEASE));
    }
  }

  /** Settles claims of fresh messages as done. */
  static void settle(DedupStore store, List<ClaimAnswer> answers) {
    List<Settlement> settlements = answers.stream().map(StoreTasks::done).toList();
    for (SettleAnswer answer : store.settle(settlements)) {
      if (!answer.equals(new SettleAnswer.Settled(false))) {
        throw new IllegalStateException("a fresh claim was settled with " + answer);
      }
    }
  }

  private static Settlement done(ClaimAnswer answer) {
    if (answer instanceof Acquired acquired) {
      return new Settlement(acquired.claim(), Verdict.Done.WITHOUT_RESULT);
    }
    throw new IllegalStateException("a fresh message was answered " + answer);
  }

  private static final class ClaimAndSettle implements Task {

    private final DedupStore store;
    private long claimNanos;

    ClaimAndSettle(DedupStore store) {
      this.store = store;
    }

    @Override
    public void run(List<ClaimRequest> batch) {
      long begin = System.nanoTime();
      List<ClaimAnswer> answers = store.claim(batch, Messages.LEASE);
      claimNanos += System.nanoTime() - begin;
      settle(store, answers);
    }

    @Override
    public long claimNanos() {
      return claimNanos;
    }
  }
}
