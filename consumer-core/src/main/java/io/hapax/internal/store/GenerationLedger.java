package io.hapax.internal.store;

import io.hapax.CompositeId;
import io.hapax.generation.GenerationMove;
import io.hapax.internal.runtime.Nonces;
import io.hapax.internal.runtime.OwnerName;
import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Keeps the generations of consumers as marks, one for each that was ever begun: claimed once, by
 * whoever moves to it, and put off for longer than anybody lives. A claim is a compare-and-set that
 * every store has, a mark that is not due is removed by no purge, and neither STALE, in doubt nor
 * dead it is on no list. The generation is the greatest whose mark is there.
 */
public final class GenerationLedger {

  /** No consumer has it, because no name may end like a generation; and generation 0 has no end. */
  static final String SCOPE = "generations#0";

  /** Redis counts time until 2112. */
  private static final Duration FOR_GOOD = Duration.ofDays(50 * 365);

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int AT_ONCE = 4;
  private static final int NAMED = 100;

  private GenerationLedger() {}

  /** See {@link io.hapax.generation.Generations#current}. */
  public static int current(DedupStore store, String consumer) {
    return look(store, consumer, 0);
  }

  /**
   * Reads the generation, beginning at one that it was before: one round trip if it is that still.
   *
   * @return what it is; less than it was if the store has lost it
   */
  static int look(DedupStore store, String consumer, int known) {
    ConsumerScope scope = new ConsumerScope(consumer, known);
    int greatest = 0;
    int from = Math.max(1, known);
    for (int found = greatestOf(store, scope, from); found > 0; ) {
      greatest = found;
      from += AT_ONCE;
      found = greatestOf(store, scope, from);
    }
    return greatest > 0 || known <= 1 ? greatest : current(store, consumer);
  }

  /** Of the next few generations the greatest that was begun; 0 if none was. */
  private static int greatestOf(DedupStore store, ConsumerScope scope, int from) {
    List<Optional<Mark>> marks = store.find(IntStream.range(from, from + AT_ONCE)
        .mapToObj(it -> key(scope.consumer(), it))
        .toList());
    return IntStream.range(0, AT_ONCE)
        .filter(i -> marks.get(i).isPresent())
        .map(i -> from + i)
        .max()
        .orElse(0);
  }

  private static MessageKey key(String consumer, int generation) {
    return MessageKey.of(SCOPE, CompositeId.of(consumer, Integer.toString(generation)));
  }

  /** See {@link io.hapax.generation.Generations#advance}. */
  public static GenerationMove advance(DedupStore store, String consumer, int expected) {
    ConsumerScope next = new ConsumerScope(consumer, expected + 1);
    int current = current(store, consumer);
    if (current != expected) {
      return new GenerationMove.Unexpected(current);
    }
    String scope = new ConsumerScope(consumer, expected).joined();
    List<Mark> leased = store.list(MarkQuery.first(scope, MarkQuery.Kind.LEASED, NAMED));
    return leased.isEmpty() ? begin(store, next) : new GenerationMove.GroupRuns(leased);
  }

  private static GenerationMove begin(DedupStore store, ConsumerScope next) {
    MessageKey key = key(next.consumer(), next.generation());
    Origin origin = new Origin(
        OwnerName.of("generations"), "generation " + next.generation() + " of " + next.consumer());
    ClaimAnswer answer = claim(
        store, key, origin, new StoreClock(SystemTime.INSTANCE).ask(store, key).plus(PATIENCE));
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      putOff(store, acquired.claim());
      return new GenerationMove.Moved(next.generation());
    } else if (answer instanceof ClaimAnswer.TooLate || answer instanceof ClaimAnswer.Unavailable) {
      throw new StoreException(
          "the generation of " + next.consumer() + " was not moved: " + answer);
    }
    return new GenerationMove.Unexpected(current(store, next.consumer()));
  }

  private static ClaimAnswer claim(
      DedupStore store, MessageKey key, Origin origin, Instant notAfter) {
    ClaimRequest request = new ClaimRequest(
        key, new Nonces().next(), Fingerprint.NONE, origin, new ClaimTerms(false, false, notAfter));
    return CheckedStore.complete("claim", 1, store.claim(List.of(request), FOR_GOOD))
        .get(0);
  }

  /** Says nothing new, but a store that waits for its replicas does so when a claim is settled. */
  private static void putOff(DedupStore store, Claim claim) {
    Settlement settlement = new Settlement(claim, new Verdict.Retry(FOR_GOOD, false));
    SettleAnswer answer =
        CheckedStore.complete("settle", 1, store.settle(List.of(settlement))).get(0);
    if (!(answer instanceof SettleAnswer.Settled)) {
      throw new StoreException("the generation was moved, but the store does not say whether it"
          + " will stand: " + answer);
    }
  }
}
