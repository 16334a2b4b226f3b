package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

final class StoreTasks {

  private StoreTasks() {}

  static Map<Operation, Supplier<Task>> leased(DedupStore store) {
    return new EnumMap<>(Map.of(
        Operation.FRESH, () -> claimAndSettle(store),
        Operation.KNOWN, () -> requests -> claimKnown(store, requests)));
  }

  private static Task claimAndSettle(DedupStore store) {
    return new Task() {
      private long claimNanos;

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
    };
  }

  private static void claimKnown(DedupStore store, List<ClaimRequest> batch) {
    for (ClaimAnswer answer : store.claim(batch, Messages.LEASE)) {
      if (!(answer instanceof ClaimAnswer.Done)) {
        throw new IllegalStateException("a known message was answered " + answer);
      }
    }
  }

  static void fill(DedupStore store, long known) {
    Messages.allKnown(known).forEach(it -> settle(store, store.claim(it, Messages.LEASE)));
  }

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
}
