package io.hapax.mark;

import static io.hapax.mark.MarkState.ABSENT;
import static io.hapax.mark.MarkState.DEAD;
import static io.hapax.mark.MarkState.DONE;
import static io.hapax.mark.MarkState.PROCESSING;
import static io.hapax.mark.MarkState.RETRY;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state machine of a mark, as pure functions of (mark, verb, the store's time). Every store
 * does the same, atomically for each mark; the contract kit replays random histories against it.
 *
 * <ul>
 *   <li>Only the current (nonce, token) may renew or settle.
 *   <li>An expired lease does not end a claim; it allows another owner to take the claim over.
 *   <li>A verb that is sent again with the same nonce gives the same answer.
 *   <li>The tokens of a mark only grow, even if the mark was lost in between, unless the store's
 *       clock went back together with that loss.
 * </ul>
 */
public final class MarkMachine {

  private MarkMachine() {}

  /**
   * {@return the mark and the answer after a claim of a message}
   *
   * @param mark the mark, possibly absent
   * @param request the request
   * @param lease the length of the lease
   * @param now the store's time
   */
  public static Transition<ClaimAnswer> claim(
      Mark mark, ClaimRequest request, Duration lease, Instant now) {
    Optional<ClaimAnswer> refusal = refusal(mark, request, now);
    if (refusal.isPresent()) {
      return new Transition<>(mark, refusal.get());
    }
    if (mark.state() == PROCESSING) {
      if (mark.claim().nonce().equals(request.nonce())) {
        Mark renewed =
            new Mark(mark.claim(), PROCESSING, mark.claimedAt(), now.plus(lease), Bytes.EMPTY);
        return new Transition<>(
            renewed, new Acquired(mark.claim(), Kind.RESENT, renewed.until(), Optional.empty()));
      }
      if (!request.terms().solo()) {
        return new Transition<>(mark, new ClaimAnswer.Suspect(mark.claim().attempt()));
      }
    }
    Acquired acquired = acquire(mark, request, now.plus(lease), now);
    return new Transition<>(
        new Mark(acquired.claim(), PROCESSING, now, acquired.leaseUntil(), Bytes.EMPTY), acquired);
  }

  /**
   * Marks a message DONE inside the transaction that also holds its effect, if a claim could be
   * acquired now. Unlike {@link #claim} it takes over a lost claim even if the request is not solo:
   * if the process dies, the database rolls back both.
   *
   * @param mark the mark, possibly absent
   * @param request the request
   * @param now the store's time
   * @return the mark afterwards and the answer; {@link Acquired} means that the effect must be part
   *     of the transaction
   */
  public static Transition<ClaimAnswer> complete(Mark mark, ClaimRequest request, Instant now) {
    Optional<ClaimAnswer> refusal = refusal(mark, request, now);
    if (refusal.isPresent()) {
      return new Transition<>(mark, refusal.get());
    }
    boolean own = mark.state() == PROCESSING && mark.claim().nonce().equals(request.nonce());
    Acquired acquired = own
        ? new Acquired(mark.claim(), Kind.RESENT, mark.until(), Optional.empty())
        : acquire(mark, request, now, now);
    Instant claimedAt = own ? mark.claimedAt() : now;
    return new Transition<>(done(acquired.claim(), claimedAt, Bytes.EMPTY, now), acquired);
  }

  /**
   * Reads a mark for a message that is known to be done, without changing it. Answers less than
   * {@link #complete} on purpose: a mark that is not DONE, has another fingerprint or has outlived
   * its retention gets no answer, although {@code complete} would give one.
   *
   * @param mark the mark as committed, possibly absent
   * @param request the request
   * @param retention how long a DONE mark stays at least
   * @param now the store's time
   * @return the answer that {@code complete} gives; empty if {@code complete} must decide
   */
  public static Optional<ClaimAnswer.Done> findDone(
      Mark mark, ClaimRequest request, Duration retention, Instant now) {
    if (mark.state() != DONE || mark.until().plus(retention).isBefore(now)) {
      return Optional.empty();
    }
    return refusal(mark, request, now)
        .filter(ClaimAnswer.Done.class::isInstance)
        .map(ClaimAnswer.Done.class::cast);
  }

  /** Returns why a request cannot acquire the mark; empty if it can. */
  private static Optional<ClaimAnswer> refusal(Mark mark, ClaimRequest request, Instant now) {
    if (mark.state() != ABSENT && mark.claim().fingerprint().conflictsWith(request.fingerprint())) {
      return Optional.of(new ClaimAnswer.Conflict(mark.state()));
    }
    if (now.isAfter(request.terms().notAfter())) {
      return Optional.of(new ClaimAnswer.TooLate(now));
    }
    boolean sameNonce = mark.claim().nonce().equals(request.nonce());
    return Optional.ofNullable(
        switch (mark.state()) {
          case ABSENT -> null;
          case PROCESSING -> mark.leasedAt(now) && !sameNonce ? busy(mark, now) : null;
          case RETRY ->
            now.isBefore(mark.until())
                ? busy(mark, now)
                : sameNonce ? new ClaimAnswer.TooLate(now) : null;
          case DONE -> new ClaimAnswer.Done(mark.detail(), mark.until(), sameNonce);
          case DEAD ->
            new ClaimAnswer.Dead(new String(mark.detail().unsafeArray(), StandardCharsets.UTF_8));
        });
  }

  private static ClaimAnswer busy(Mark mark, Instant now) {
    return new ClaimAnswer.Busy(Duration.between(now, mark.until()));
  }

  /** Makes a new claim on a mark that is absent, due, or whose lease has expired. */
  private static Acquired acquire(
      Mark mark, ClaimRequest request, Instant leaseUntil, Instant now) {
    boolean takeover = mark.state() == PROCESSING;
    Attempt last = mark.claim().attempt();
    int number = last.nextNumber(takeover);
    boolean inDoubt = last.inDoubt() || (takeover && last.external());
    Attempt attempt = new Attempt(
        number, request.terms().solo(), request.terms().external(), inDoubt, last.deferredSince());
    long token = tokenAfter(mark.claim().token(), now);
    Fingerprint known = request.fingerprint().orElse(mark.claim().fingerprint());
    Claim claim =
        new Claim(request.key(), request.nonce(), token, attempt, known, request.origin());
    Kind kind = mark.state() == ABSENT ? Kind.FRESH : takeover ? Kind.TAKEOVER : Kind.RETRY;
    return new Acquired(
        claim, kind, leaseUntil, takeover ? Optional.of(previous(mark, now)) : Optional.empty());
  }

  private static ClaimAnswer.Previous previous(Mark mark, Instant now) {
    return new ClaimAnswer.Previous(
        mark.claim().origin().owner(),
        mark.claim().token(),
        Duration.between(mark.claimedAt(), now));
  }

  /**
   * {@return the mark and the answer after a renewal of a lease}
   *
   * @param mark the mark, possibly absent
   * @param claim the claim whose lease is renewed
   * @param lease the length of the lease, from now
   * @param now the store's time
   */
  public static Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
    boolean lost = mark.state() == ABSENT;
    if (!lost && !(mark.state() == PROCESSING && mark.claim().sameAs(claim))) {
      return new Transition<>(mark, new RenewAnswer.Fenced(mark.state()));
    }
    Instant until = now.plus(lease);
    Mark next = lost
        ? new Mark(claim.with(claim.attempt().writtenAnew()), PROCESSING, now, until, Bytes.EMPTY)
        : new Mark(mark.claim(), PROCESSING, mark.claimedAt(), until, Bytes.EMPTY);
    return new Transition<>(next, new RenewAnswer.Renewed(until, lost));
  }

  /**
   * {@return the mark and the answer after a settlement of a claim}
   *
   * @param mark the mark, possibly absent
   * @param settlement the claim and its verdict
   * @param now the store's time
   */
  public static Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
    Claim claim = settlement.claim();
    Verdict verdict = settlement.verdict();
    boolean own = mark.claim().sameAs(claim);
    boolean release = verdict instanceof Verdict.Release;
    boolean dead = verdict instanceof Verdict.Dead;
    return switch (mark.state()) {
      case ABSENT ->
        new Transition<>(
            release || dead ? mark : settled(claim, now, verdict, now),
            new SettleAnswer.Settled(!release));
      case PROCESSING -> own ? settled(mark, settlement, now) : fenced(mark);
      case RETRY ->
        own && dead && isWithoutAttempt(mark)
            ? new Transition<>(mark, new SettleAnswer.Settled(true))
            : resend(mark, own && leavesRetry(verdict));
      case DONE -> resend(mark, own && verdict instanceof Verdict.Done);
      case DEAD -> resend(mark, own && dead);
    };
  }

  /**
   * Settles a mark for its owner. A mark that was lost does not become DEAD, neither here nor if it
   * is absent: the settlement may come late, after an operator had the message delivered again.
   * With DEAD that message would be acknowledged without running. Without it, the message costs at
   * most another round of attempts.
   */
  private static Transition<SettleAnswer> settled(Mark mark, Settlement settlement, Instant now) {
    Verdict verdict = settlement.verdict();
    if (!isWithoutAttempt(mark)) {
      return new Transition<>(
          settled(mark.claim(), mark.claimedAt(), verdict, now), new SettleAnswer.Settled(false));
    }
    boolean dead = verdict instanceof Verdict.Dead;
    Claim reopened = mark.claim().with(mark.claim().attempt().reopened());
    Mark next = dead
        ? new Mark(reopened, RETRY, mark.claimedAt(), now, Bytes.EMPTY)
        : settled(settlement.claim(), mark.claimedAt(), verdict, now);
    return new Transition<>(next, new SettleAnswer.Settled(dead));
  }

  /**
   * Returns whether no attempt is counted. A PROCESSING mark like that was lost, and its owner
   * wrote it anew. A RETRY mark like that was such a mark and was settled as DEAD, or an operator
   * reopened it, or its first attempt was given back.
   */
  private static boolean isWithoutAttempt(Mark mark) {
    return mark.claim().attempt().number() == 0;
  }

  private static boolean leavesRetry(Verdict verdict) {
    return verdict.match(
        done -> false, retry -> true, defer -> true, release -> true, dead -> false);
  }

  private static Transition<SettleAnswer> resend(Mark mark, boolean allowed) {
    return allowed ? new Transition<>(mark, new SettleAnswer.Settled(false)) : fenced(mark);
  }

  private static Transition<SettleAnswer> fenced(Mark mark) {
    return new Transition<>(mark, new SettleAnswer.Fenced(mark.state()));
  }

  private static Mark settled(Claim claim, Instant claimedAt, Verdict verdict, Instant now) {
    return verdict.match(
        done -> done(claim, claimedAt, done.result(), now),
        retry -> new Mark(
            claim.with(claim.attempt().settledFor(retry)),
            RETRY,
            claimedAt,
            now.plus(retry.after()),
            Bytes.EMPTY),
        defer -> new Mark(
            claim.with(claim.attempt().deferred(claim.token())),
            RETRY,
            claimedAt,
            now.plus(defer.after()),
            Bytes.EMPTY),
        release ->
            new Mark(claim.with(claim.attempt().givenBack()), RETRY, claimedAt, now, Bytes.EMPTY),
        dead -> new Mark(
            claim.with(claim.attempt().dead()), DEAD, claimedAt, now, reason(dead.reason())));
  }

  private static Mark done(Claim claim, Instant claimedAt, Bytes result, Instant now) {
    Attempt certain = new Attempt(claim.attempt().number(), false, false, false);
    Claim small = new Claim(
        claim.key(), claim.nonce(), claim.token(), certain, claim.fingerprint(), Origin.NONE);
    return new Mark(small, DONE, claimedAt, now, result);
  }

  /**
   * Takes a DONE mark back that the handler committed itself, before its transaction was complete.
   * Only a part of the effect may be committed, so the message must run again. The mark has its
   * claim again, in doubt and with an expired lease: its owner can settle the failed attempt, and
   * if the owner dies, the next delivery takes the claim over.
   *
   * @param mark the mark, possibly absent
   * @param claim the claim of the transaction that the handler ended
   * @param now the store's time
   * @return the mark afterwards, and whether it was DONE by this claim
   */
  public static Transition<Boolean> takeBack(Mark mark, Claim claim, Instant now) {
    if (mark.state() != DONE || !mark.claim().sameAs(claim)) {
      return new Transition<>(mark, false);
    }
    Claim doubtful = claim.with(claim.attempt().doubtful());
    return new Transition<>(
        new Mark(doubtful, PROCESSING, mark.claimedAt(), now, Bytes.EMPTY), true);
  }

  private static Bytes reason(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return Bytes.of(utf8).prefix(Verdict.MAX_REASON_BYTES);
  }

  /**
   * Resolves a mark for an operator. A mark does not change if it is absent, if it has changed
   * since the operator read it, or if its lease is alive and the resolution is not forced. The
   * state is compared beside the token because a settlement keeps the token. The new token fences
   * an owner that still holds the old one.
   *
   * @param mark the mark, possibly absent
   * @param expectedToken the token that the operator saw
   * @param expectedState the state that the operator saw
   * @param resolution the resolution
   * @param now the store's time
   * @return the mark afterwards, and whether it was changed
   */
  public static Transition<Boolean> resolve(
      Mark mark, long expectedToken, MarkState expectedState, Resolution resolution, Instant now) {
    boolean held = mark.leasedAt(now) && !resolution.forced();
    if (mark.state() == ABSENT
        || held
        || mark.claim().token() != expectedToken
        || mark.state() != expectedState
        || hasNoEffect(mark, resolution.kind())) {
      return new Transition<>(mark, false);
    }
    Claim old = mark.claim();
    Claim claim = new Claim(
        old.key(),
        old.nonce(),
        tokenAfter(old.token(), now),
        old.attempt().reopened(),
        resolution.kind().takesAnyPayload() ? Fingerprint.NONE : old.fingerprint(),
        old.origin());
    Mark next = switch (resolution.kind()) {
      case REOPEN, REOPEN_ANY_PAYLOAD -> new Mark(claim, RETRY, mark.claimedAt(), now, Bytes.EMPTY);
      case FORCE_DONE, FORGET -> done(claim, mark.claimedAt(), Bytes.EMPTY, now);
      case DONE_ANY_PAYLOAD -> done(claim, mark.claimedAt(), mark.detail(), now);
    };
    return new Transition<>(next, true);
  }

  /** Returns whether the mark already is what the resolution would make of it. */
  private static boolean hasNoEffect(Mark mark, Resolution.Kind kind) {
    return switch (kind) {
      case REOPEN, REOPEN_ANY_PAYLOAD -> false;
      case FORCE_DONE -> mark.state() == DONE;
      case DONE_ANY_PAYLOAD ->
        mark.state() != DONE || mark.claim().fingerprint().equals(Fingerprint.NONE);
      case FORGET -> mark.state() != DONE || mark.detail().equals(Bytes.EMPTY);
    };
  }

  /**
   * {@return the next token, greater than {@code previous}} If the mark was purged or lost, the
   * store's time is the token: greater than the lost one, unless the store's clock went back.
   *
   * @param previous the latest token, 0 if there is no mark
   * @param now the store's time
   */
  public static long tokenAfter(long previous, Instant now) {
    return Math.max(previous + 1, EpochMicros.of(now));
  }
}
