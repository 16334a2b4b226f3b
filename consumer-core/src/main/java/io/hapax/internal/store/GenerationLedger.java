package io.hapax.internal.store;

import io.hapax.CompositeId;
import io.hapax.generation.GenerationMove;
import io.hapax.internal.runtime.ClaimOwner;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Stores the generations of consumers as marks, one for each generation that has begun. The tool
 * that moves a consumer claims the mark once and postpones it for decades. A claim is a
 * compare-and-set that every store has. A purge does not remove a mark that is not due. The mark is
 * on no list, because it is neither STALE nor in doubt nor dead. The current generation is the
 * greatest one that has a mark.
 */
public final class GenerationLedger {

  /**
   * No consumer has this scope: no name may end like a generation, and generation 0 adds no end.
   */
  static final String SCOPE = "generations#0";

  /** Must end before 2112, the limit of the times that Redis stores. */
  private static final Duration DECADES = Duration.ofDays(50 * 365);

  private static final Duration CLAIM_TIMEOUT = Duration.ofMinutes(1);

  /** The number of generations that one call reads: a known one and some that may follow it. */
  private static final int READ_AHEAD = 5;

  private static final int MAX_LISTED = 100;

  private GenerationLedger() {}

  /** Returns the generation; see {@link io.hapax.generation.Generations#current}. */
  public static int current(MarkAdmin store, String consumer) {
    return read(store, consumer, 0);
  }

  /**
   * Reads the generation, starting at a known one: one round trip if that is still the current one.
   * The result is less than the known one if the store has lost its mark.
   */
  static int read(MarkAdmin store, String consumer, int known) {
    ConsumerScope scope = new ConsumerScope(consumer, known);
    int from = Math.max(1, known);
    int greatest = greatestOf(store, scope, from);
    while (greatest > from) { // still later ones may have begun
      from = greatest;
      greatest = Math.max(greatest, greatestOf(store, scope, from));
    }
    return greatest > 0 || known <= 1 ? greatest : current(store, consumer);
  }

  /** Returns the greatest generation that has begun, of this one and the next; 0 if none has. */
  private static int greatestOf(MarkAdmin store, ConsumerScope scope, int from) {
    List<Optional<Mark>> marks = store.find(IntStream.range(from, from + READ_AHEAD)
        .mapToObj(it -> key(scope.consumer(), it))
        .toList());
    return IntStream.range(0, READ_AHEAD)
        .filter(i -> marks.get(i).isPresent())
        .map(i -> from + i)
        .max()
        .orElse(0);
  }

  private static MessageKey key(String consumer, int generation) {
    return MessageKey.of(SCOPE, CompositeId.of(consumer, Integer.toString(generation)));
  }

  /** Moves a consumer; see {@link io.hapax.generation.Generations#advance}. */
  public static GenerationMove advance(DedupStore store, String consumer, int expected) {
    ConsumerScope next = new ConsumerScope(consumer, expected + 1);
    int current = current(store, consumer);
    if (current != expected) {
      return new GenerationMove.Unexpected(current);
    }
    String scope = new ConsumerScope(consumer, expected).joined();
    List<Mark> leased = store.list(MarkQuery.first(scope, MarkQuery.Kind.LEASED, MAX_LISTED));
    return leased.isEmpty() ? begin(store, next) : new GenerationMove.GroupRuns(leased);
  }

  private static GenerationMove begin(DedupStore store, ConsumerScope next) {
    MessageKey key = key(next.consumer(), next.generation());
    ClaimOwner owner = new ClaimOwner("generations");
    ClaimRequest request = new ClaimRequest(
        key,
        owner.nextNonce(),
        Fingerprint.NONE,
        owner.at("generation " + next.generation() + " of " + next.consumer()),
        new ClaimTerms(false, false, store.now(key).plus(CLAIM_TIMEOUT)));
    ClaimAnswer answer = CheckedStore.complete("claim", 1, store.claim(List.of(request), DECADES))
        .get(0);
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      postpone(store, acquired.claim());
      return new GenerationMove.Moved(next.generation());
    } else if (answer instanceof ClaimAnswer.TooLate || answer instanceof ClaimAnswer.Unavailable) {
      throw new StoreException(
          "the generation of " + next.consumer() + " was not moved: " + answer);
    }
    return new GenerationMove.Unexpected(current(store, next.consumer()));
  }

  /** Settles the claim, because a store waits for its replicas only when a claim is settled. */
  private static void postpone(DedupStore store, Claim claim) {
    Settlement settlement = new Settlement(claim, new Verdict.Retry(DECADES, false));
    SettleAnswer answer =
        CheckedStore.complete("settle", 1, store.settle(List.of(settlement))).get(0);
    if (!(answer instanceof SettleAnswer.Settled)) {
      throw new StoreException(
          "the generation was moved, but the store has not confirmed that it keeps the mark: "
              + answer);
    }
  }
}
