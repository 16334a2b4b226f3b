package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One message, one payload, a claim called mine, a claim of another owner, and marks in each state.
 */
abstract class SampleMarks {

  static final MessageKey KEY = MessageKey.of("orders-1", "order-42");
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final Instant CLAIMED = NOW.minusSeconds(10);
  static final Instant SETTLED = NOW.minusSeconds(5);
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration BACKOFF = Duration.ofSeconds(7);

  static final Nonce MINE = new Nonce(1, 1);
  static final Nonce OTHER = new Nonce(2, 2);
  static final Fingerprint PAYLOAD = fingerprint("payload");
  static final Fingerprint OTHER_PAYLOAD = fingerprint("another payload");
  static final Origin ORIGIN = new Origin("host-1/orders", "orders-3@1507");
  static final Origin OTHER_ORIGIN = new Origin("host-2/orders", "orders-3@1507");
  static final Attempt FIRST = new Attempt(1, false, true, false);
  static final Bytes RECEIPT = Bytes.utf8("receipt");

  /** Acquired ten seconds ago. */
  static final Claim MY_CLAIM =
      new Claim(KEY, MINE, EpochMicros.of(CLAIMED), FIRST, PAYLOAD, ORIGIN);

  /** Acquired a minute ago, so its token is older than mine. */
  static final Claim LATE_CLAIM =
      new Claim(KEY, OTHER, EpochMicros.of(NOW.minusSeconds(60)), FIRST, PAYLOAD, OTHER_ORIGIN);

  static final Mark ABSENT = Mark.absent(KEY);
  static final Mark LEASED = processing(FIRST, NOW.plusSeconds(20));
  static final Mark EXPIRED = processing(FIRST, NOW.minusSeconds(1));
  static final Mark NOT_DUE = retry(FIRST, NOW.plusSeconds(3));
  static final Mark DUE = retry(FIRST, NOW);
  static final Mark DONE = new Mark(
      new Claim(KEY, MINE, MY_CLAIM.token(), certain(1), PAYLOAD, Origin.NONE),
      MarkState.DONE,
      CLAIMED,
      SETTLED,
      RECEIPT);
  static final Mark DEAD =
      new Mark(MY_CLAIM, MarkState.DEAD, CLAIMED, SETTLED, Bytes.utf8("no such customer"));

  static final Verdict DONE_VERDICT = new Verdict.Done(RECEIPT);
  static final Verdict RETRY_VERDICT = new Verdict.Retry(BACKOFF, false);
  static final Verdict DEFER_VERDICT = new Verdict.Defer(BACKOFF);
  static final Verdict RELEASE_VERDICT = new Verdict.Release();
  static final Verdict DEAD_VERDICT = new Verdict.Dead("no such customer");

  static final SettleAnswer SETTLED_ANSWER = new SettleAnswer.Settled(false);

  static List<Mark> marksThatStand() {
    return List.of(LEASED, EXPIRED, NOT_DUE, DUE, DONE, DEAD);
  }

  static Mark processing(Attempt attempt, Instant leaseUntil) {
    return new Mark(MY_CLAIM.with(attempt), MarkState.PROCESSING, CLAIMED, leaseUntil, Bytes.EMPTY);
  }

  /** What the renewal of a lost mark leaves behind, now. */
  static Mark writtenAnew(Instant leaseUntil) {
    Claim claim = MY_CLAIM.with(new Attempt(0, false, true, false));
    return new Mark(claim, MarkState.PROCESSING, NOW, leaseUntil, Bytes.EMPTY);
  }

  static Mark retry(Attempt attempt, Instant due) {
    return new Mark(MY_CLAIM.with(attempt), MarkState.RETRY, CLAIMED, due, Bytes.EMPTY);
  }

  /** What a claim that is settled now leaves behind. */
  static Mark done(Claim claim, Instant claimedAt, Bytes result) {
    Claim small = new Claim(
        KEY,
        claim.nonce(),
        claim.token(),
        certain(claim.attempt().number()),
        claim.fingerprint(),
        Origin.NONE);
    return new Mark(small, MarkState.DONE, claimedAt, NOW, result);
  }

  /** What a claim by the other nonce becomes if it is acquired now. */
  static Claim acquiredNow(Attempt attempt) {
    return new Claim(KEY, OTHER, EpochMicros.of(NOW), attempt, PAYLOAD, OTHER_ORIGIN);
  }

  static Attempt certain(int number) {
    return new Attempt(number, false, false, false);
  }

  static Fingerprint fingerprint(String payload) {
    return Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8));
  }

  static ClaimRequest shared(Nonce nonce) {
    return request(nonce, new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  static ClaimRequest solo(Nonce nonce) {
    return request(nonce, new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  static ClaimRequest request(Nonce nonce, ClaimTerms terms) {
    return new ClaimRequest(KEY, nonce, PAYLOAD, OTHER_ORIGIN, terms);
  }

  static ClaimRequest withPayload(ClaimRequest request, Fingerprint fingerprint) {
    return new ClaimRequest(
        request.key(), request.nonce(), fingerprint, request.origin(), request.terms());
  }

  static ClaimRequest notAfter(ClaimRequest request, Instant notAfter) {
    ClaimTerms terms = request.terms();
    return withTerms(request, new ClaimTerms(terms.solo(), terms.external(), notAfter));
  }

  static ClaimRequest withTerms(ClaimRequest request, ClaimTerms terms) {
    return new ClaimRequest(
        request.key(), request.nonce(), request.fingerprint(), request.origin(), terms);
  }

  static Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request) {
    return MarkMachine.claim(mark, request, LEASE, NOW);
  }

  static Transition<ClaimAnswer> complete(Mark mark, ClaimRequest request) {
    return MarkMachine.complete(mark, request, NOW);
  }

  static Transition<RenewAnswer> renew(Mark mark, Claim claim) {
    return MarkMachine.renew(mark, claim, LEASE, NOW);
  }

  static Transition<SettleAnswer> settle(Mark mark, Claim claim, Verdict verdict) {
    return MarkMachine.settle(mark, new Settlement(claim, verdict), NOW);
  }

  static Transition<Boolean> reopen(Mark mark) {
    return resolve(mark, Resolution.REOPEN);
  }

  static Transition<Boolean> forceDone(Mark mark) {
    return resolve(mark, Resolution.FORCE_DONE);
  }

  static Transition<Boolean> resolve(Mark mark, Resolution resolution) {
    return MarkMachine.resolve(mark, mark.claim().token(), mark.state(), resolution, NOW);
  }

  static ClaimAnswer.Acquired acquired(Transition<ClaimAnswer> transition) {
    assertThat(transition.answer()).isInstanceOf(ClaimAnswer.Acquired.class);
    return (ClaimAnswer.Acquired) transition.answer();
  }

  static SettleAnswer fenced(MarkState state) {
    return new SettleAnswer.Fenced(state);
  }

  static ClaimAnswer busy(int seconds) {
    return new ClaimAnswer.Busy(Duration.ofSeconds(seconds));
  }

  static void assertUnchanged(Mark mark, Transition<?> transition, Object answer) {
    assertThat(transition.answer()).isEqualTo(answer);
    assertThat(transition.next()).as("the mark").isSameAs(mark);
  }
}
