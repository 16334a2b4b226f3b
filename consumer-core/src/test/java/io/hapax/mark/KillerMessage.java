package io.hapax.mark;

import io.hapax.mark.ExploredInvariants.Broken;
import java.time.Duration;
import java.time.Instant;

/**
 * A message.
 *
 * @param state the state of its mark
 * @param attempt its latest attempt
 * @param leased whether its owner lives
 * @param lostToTheKiller how many attempts it has lost because the killer ran beside it
 */
record KillerMessage(MarkState state, Attempt attempt, boolean leased, int lostToTheKiller) {

  private static final Instant NOW = SampleMarks.NOW;
  private static final Duration LEASE = Duration.ofHours(1);

  static final KillerMessage ABSENT =
      new KillerMessage(MarkState.ABSENT, new Attempt(0, false, false, false), false, 0);

  Mark mark() {
    Mark absent = Mark.absent(SampleMarks.KEY);
    return new Mark(
        absent.claim().with(attempt), state, NOW, leased ? NOW.plus(LEASE) : NOW, Bytes.EMPTY);
  }

  KillerMessage as(Mark mark) {
    return new KillerMessage(
        mark.state(), mark.claim().attempt(), mark.leasedAt(NOW), lostToTheKiller);
  }

  Transition<ClaimAnswer> claim(boolean solo) {
    ClaimTerms terms = new ClaimTerms(solo, true, ClaimTerms.ANY_TIME);
    ClaimRequest request = new ClaimRequest(
        SampleMarks.KEY, new Nonce(1, 1), Fingerprint.NONE, SampleMarks.ORIGIN, terms);
    return MarkMachine.claim(mark(), request, LEASE, NOW);
  }

  KillerMessage settle(Verdict verdict) {
    Mark mark = mark();
    return as(
        MarkMachine.settle(mark, new Settlement(mark.claim(), verdict), NOW).next());
  }

  KillerMessage ownerDied(boolean byTheKiller) {
    int lost = lostToTheKiller + (byTheKiller && attempt.solo() ? 1 : 0);
    Broken.unless(lost <= 1, 10, "an innocent message lost " + lost + " attempts to a killer");
    return new KillerMessage(state, attempt, false, lost);
  }
}
