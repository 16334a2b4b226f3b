package io.hapax.simulation;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.mark.Verdict;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The server that keeps the marks: the machine in a map, as in
 * {@link io.hapax.store.InMemoryDedupStore}, with locks for transactions; and what it remembers for
 * the verdict.
 */
final class SimulatedStore {

  static final Duration RETENTION = Duration.ofDays(8);

  private static final Duration TOO_SHORT = Duration.ofSeconds(5);

  private final VirtualTime time;
  private final Witness witness;
  private final Set<Mistake> mistakes;
  private final Map<MessageKey, Mark> marks = new TreeMap<>();
  private final Set<MessageKey> locked = new HashSet<>();
  private final Map<MessageKey, Mark> uncommitted = new TreeMap<>();
  private final Set<MessageKey> everSettled = new HashSet<>();
  private Duration skew = Duration.ZERO;
  private long readOnlyUntil;

  SimulatedStore(VirtualTime time, Witness witness, Set<Mistake> mistakes) {
    this.time = time;
    this.witness = witness;
    this.mistakes = mistakes;
  }

  Instant now() {
    return EpochMicros.toInstant(EpochMicros.of(time.instant().plus(skew)));
  }

  Optional<Mark> mark(MessageKey key) {
    return Optional.ofNullable(marks.get(key));
  }

  private Mark markOrAbsent(MessageKey key) {
    return mark(key).orElseGet(() -> Mark.absent(key));
  }

  void readOnlyFor(Duration duration) {
    readOnlyUntil = time.now() + duration.toNanos();
  }

  void heal() {
    readOnlyUntil = 0;
  }

  private boolean readOnly() {
    return readOnlyUntil > time.now();
  }

  /** What a verb comes to; if that is to be kept and cannot be, it fails. */
  private <A> A done(MessageKey key, Transition<A> transition) {
    if (readOnly() && !transition.next().equals(markOrAbsent(key))) {
      throw new StoreException("the store is read-only");
    }
    put(transition.next());
    return transition.answer();
  }

  /** Writes a mark. */
  void put(Mark mark) {
    if (mark.state() != MarkState.ABSENT) {
      marks.put(mark.key(), mark);
    }
    if (settled(mark)) {
      everSettled.add(mark.key());
    }
  }

  Set<MessageKey> known() {
    return marks.keySet();
  }

  private boolean wrong(Mistake mistake) {
    return mistakes.contains(mistake);
  }

  ClaimAnswer claim(ConsumerProcess caller, ClaimRequest request, Duration lease) {
    if (mark(request.key()).filter(this::forgotten).isPresent()) {
      marks.remove(request.key());
    }
    Optional<Mark> before = mark(request.key());
    Duration given = wrong(Mistake.STORE_GRANTS_LESS_THAN_IT_SAYS) ? lease.dividedBy(4) : lease;
    skew = wrong(Mistake.STORE_BELIEVES_THE_CALLERS_CLOCK) ? caller.wallClockSkew() : Duration.ZERO;
    ClaimAnswer answer =
        done(request.key(), MarkMachine.claim(markOrAbsent(request.key()), request, given, now()));
    skew = Duration.ZERO;
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      before.ifPresent(mark -> witness.acquired(mark, acquired));
      witness.granted(caller, acquired.claim(), given);
    }
    return told(before, answer);
  }

  private boolean forgotten(Mark mark) {
    return switch (mark.state()) {
      case PROCESSING -> wrong(Mistake.STORE_DROPS_MARKS_WITH_THEIR_LEASE) && !mark.leasedAt(now());
      case DONE ->
        wrong(Mistake.STORE_KEEPS_DONE_TOO_SHORTLY)
            && mark.until().plus(TOO_SHORT).isBefore(now());
      default -> false;
    };
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
    RenewAnswer answer =
        done(claim.key(), MarkMachine.renew(markOrAbsent(claim.key()), claim, lease, now()));
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
    Verdict verdict = settlement.verdict();
    if (wrong(Mistake.STORE_FORGETS_DOUBT) && verdict instanceof Verdict.Retry retry) {
      verdict = new Verdict.Retry(retry.after(), false);
    }
    witness.settles(settlement.claim());
    SettleAnswer answer =
        done(key, MarkMachine.settle(markOrAbsent(key), new Settlement(claim, verdict), now()));
    if (answer instanceof SettleAnswer.Settled && verdict instanceof Verdict.Dead) {
      everSettled.add(key); // also if its mark was lost, and none was written
    }
    if (answer instanceof SettleAnswer.Settled && deletedAfter(verdict)) {
      marks.remove(key);
    }
    return answer;
  }

  private boolean deletedAfter(Verdict verdict) {
    return (verdict instanceof Verdict.Release && wrong(Mistake.STORE_RELEASES_BY_DELETE))
        || (verdict instanceof Verdict.Done && wrong(Mistake.STORE_FORGETS_DONE))
        || (verdict instanceof Verdict.Retry && wrong(Mistake.STORE_DELETES_FAILED_MARKS));
  }

  /**
   * Carries out what an operator has decided about a dead message, as a redrive does.
   *
   * @return whether its message is to be published
   */
  boolean bringBack(MessageKey key) {
    Mark mark = markOrAbsent(key);
    Attempt attempt = mark.claim().attempt();
    boolean withoutAttempt = attempt.number() == 0;
    return switch (mark.state()) {
      case ABSENT -> true;
      case PROCESSING -> withoutAttempt;
      case RETRY -> withoutAttempt && (attempt.inDoubt() || reopen(mark));
      case DONE -> false;
      case DEAD -> reopen(mark);
    };
  }

  private boolean reopen(Mark mark) {
    return !readOnly()
        && done(
            mark.key(),
            MarkMachine.resolve(
                mark, mark.claim().token(), mark.state(), Resolution.REOPEN, now()));
  }

  /** What is known to be done, of what is committed. */
  Optional<ClaimAnswer.Done> findDone(ClaimRequest request) {
    Mark mark = markOrAbsent(request.key());
    if (wrong(Mistake.LOOKUP_SEES_UNCOMMITTED_MARKS)) {
      mark = uncommitted.getOrDefault(request.key(), mark);
    }
    if (wrong(Mistake.LOOKUP_TAKES_ANY_MARK_FOR_DONE) && mark.state() != MarkState.ABSENT) {
      return Optional.of(new ClaimAnswer.Done(Bytes.EMPTY, mark.until(), false));
    }
    return MarkMachine.findDone(mark, request, RETENTION, now());
  }

  /** Remembers what a transaction has written that is not committed yet. */
  void open(Collection<Mark> written) {
    written.forEach(mark -> uncommitted.put(mark.key(), mark));
  }

  /** What a claim inside a transaction comes to, if it is committed. */
  Transition<ClaimAnswer> complete(ClaimRequest request) {
    return MarkMachine.complete(markOrAbsent(request.key()), request, now());
  }

  /** What a settlement inside a transaction comes to, if it is committed. */
  Transition<SettleAnswer> settled(Settlement settlement) {
    return MarkMachine.settle(markOrAbsent(settlement.claim().key()), settlement, now());
  }

  boolean anyLocked(Collection<MessageKey> keys) {
    return keys.stream().anyMatch(locked::contains);
  }

  void lock(Collection<MessageKey> keys) {
    locked.addAll(keys);
  }

  void unlock(Collection<MessageKey> keys) {
    locked.removeAll(keys);
    keys.forEach(uncommitted::remove);
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
        .filter(it -> it.claim().sameAs(claim) && it.leasedAt(now()))
        .isPresent();
  }

  /** Forgets a mark, and counts that. */
  void lose(MessageKey key) {
    if (marks.remove(key) != null) {
      witness.lost(key);
    }
  }
}
