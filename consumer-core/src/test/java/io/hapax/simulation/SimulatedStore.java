package io.hapax.simulation;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The server that keeps the marks, and what it remembers for the verdict. Each mark lies in a store
 * of its own, so that it can be lost alone.
 */
final class SimulatedStore {

  static final Duration RETENTION = Duration.ofDays(8);

  private final VirtualTime time;
  private final Witness witness;
  private final Set<Mistake> mistakes;
  private final Map<MessageKey, InMemoryDedupStore> marks = new TreeMap<>();
  private final Set<MessageKey> everSettled = new HashSet<>();
  private Duration skew = Duration.ZERO;

  SimulatedStore(VirtualTime time, Witness witness, Set<Mistake> mistakes) {
    this.time = time;
    this.witness = witness;
    this.mistakes = mistakes;
  }

  private InMemoryDedupStore of(MessageKey key) {
    return marks.computeIfAbsent(
        key, any -> new InMemoryDedupStore(() -> time.instant().plus(skew), RETENTION));
  }

  Optional<Mark> mark(MessageKey key) {
    return of(key).find(List.of(key)).get(0);
  }

  Set<MessageKey> known() {
    return marks.keySet();
  }

  private boolean wrong(Mistake mistake) {
    return mistakes.contains(mistake);
  }

  ClaimAnswer claim(ConsumerProcess caller, ClaimRequest request, Duration lease) {
    Optional<Mark> before = mark(request.key());
    Duration given = wrong(Mistake.STORE_GRANTS_LESS_THAN_IT_SAYS) ? lease.dividedBy(4) : lease;
    skew = wrong(Mistake.STORE_BELIEVES_THE_CALLERS_CLOCK) ? caller.wallClockSkew() : Duration.ZERO;
    ClaimAnswer answer = of(request.key()).claim(List.of(request), given).get(0);
    skew = Duration.ZERO;
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      before.ifPresent(mark -> witness.acquired(mark, acquired));
      witness.granted(caller, acquired.claim(), given);
    }
    return told(before, answer);
  }

  private ClaimAnswer told(Optional<Mark> before, ClaimAnswer answer) {
    boolean processing = before.filter(it -> it.state() == MarkState.PROCESSING).isPresent();
    if (wrong(Mistake.STORE_ANSWERS_DONE_FOR_BUSY)
        && answer instanceof ClaimAnswer.Busy
        && processing) {
      return new ClaimAnswer.Done(Bytes.EMPTY, time.instant(), false);
    }
    return wrong(Mistake.STORE_NEVER_TAKES_OVER) && answer instanceof ClaimAnswer.Suspect
        ? new ClaimAnswer.Busy(Duration.ofSeconds(1))
        : answer;
  }

  RenewAnswer renew(ConsumerProcess caller, Claim claim, Duration lease) {
    if (wrong(Mistake.STORE_DROPS_RENEWALS)) {
      return new RenewAnswer.Renewed(time.instant().plus(lease), false);
    }
    RenewAnswer answer = of(claim.key()).renew(List.of(claim), lease).get(0);
    if (answer instanceof RenewAnswer.Renewed) {
      witness.granted(caller, claim, lease);
    }
    return answer;
  }

  SettleAnswer settle(Settlement settlement) {
    MessageKey key = settlement.claim().key();
    Claim claim = settlement.claim();
    if (wrong(Mistake.STORE_SETTLES_WITHOUT_TOKEN)) {
      claim = mark(key).map(Mark::claim).orElse(claim);
    }
    witness.settles(settlement.claim());
    SettleAnswer answer =
        of(key).settle(List.of(new Settlement(claim, settlement.verdict()))).get(0);
    if (mark(key).filter(SimulatedStore::settled).isPresent()) {
      everSettled.add(key);
    }
    boolean release = settlement.verdict() instanceof Verdict.Release;
    boolean done = settlement.verdict() instanceof Verdict.Done;
    if (answer instanceof SettleAnswer.Settled
        && ((release && wrong(Mistake.STORE_RELEASES_BY_DELETE))
            || (done && wrong(Mistake.STORE_FORGETS_DONE)))) {
      marks.remove(key);
    }
    return answer;
  }

  private static boolean settled(Mark mark) {
    return mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
  }

  /** Whether the message was DONE or DEAD once, whatever was lost since. */
  boolean everSettled(MessageKey key) {
    return everSettled.contains(key);
  }

  /** Whether a claim is the current one and its lease lives. */
  boolean leased(Claim claim) {
    return mark(claim.key())
        .filter(it -> it.claim().sameAs(claim) && it.leasedAt(time.instant()))
        .isPresent();
  }

  /** Forgets a mark, and counts that. */
  void lose(MessageKey key) {
    if (marks.remove(key) != null) {
      witness.lost(key);
    }
  }
}
