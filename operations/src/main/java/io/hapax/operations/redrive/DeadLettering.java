package io.hapax.operations.redrive;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Dead-letters the message of an open mark, in the steps of a consumer: it claims the message,
 * publishes the record, and then sets the mark to DEAD. So no consumer can run the message
 * meanwhile. If the process ends before the last step, the mark is stale. The next delivery of the
 * message then runs it, or dead-letters it if no attempts are left, although its record is in the
 * dead-letter topic. A redrive of that record finds a message that is done and publishes nothing.
 */
final class DeadLettering {

  private static final String OPERATOR = "operator";
  private static final String REASON = "given up by an operator";

  /** Longer than the publishers of the adapters wait for their brokers. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  /** The store refuses the claim after this time: its caller has given up then. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DedupStore store;
  private final String consumer;

  DeadLettering(DedupStore store, String consumer) {
    this.store = store;
    this.consumer = consumer;
  }

  /**
   * Dead-letters a message that lies at these coordinates, unless the mark that was seen changes.
   *
   * @throws StoreException if the store did not answer
   * @throws Exception what the publisher threw
   */
  <M> RedriveResult run(
      Mark seen, String coordinates, M message, DeadLetterPublisher<M> letters, Instant now)
      throws Exception {
    UUID nonce = UUID.randomUUID();
    ClaimAnswer answer = claim(new ClaimRequest(
        seen.key(),
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        seen.claim().fingerprint(),
        new Origin(OPERATOR, coordinates),
        // no handler runs under this claim, so its loss leaves nothing in doubt
        new ClaimTerms(true, false, now.plus(PATIENCE))));
    if (!(answer instanceof Acquired acquired)) {
      return refused(answer);
    }
    if (acquired.kind() == ClaimAnswer.Kind.FRESH) {
      settle(acquired, new Verdict.Release());
      return new Refused(Text.of("mark.gone"));
    }
    Attempt attempt = acquired.claim().attempt();
    try {
      letters.publish(letter(seen, attempt, coordinates, message));
    } catch (Exception | Error e) {
      giveBack(seen, acquired, e);
      throw e;
    }
    try {
      String reason = attempt.inDoubt() ? "in doubt: " + REASON : REASON;
      return answer(settle(acquired, new Verdict.Dead(reason)));
    } catch (StoreException e) {
      throw Text.of("letters.not-dead", TextExceptions.text(e)).storeFailure(e);
    }
  }

  private <M> DeadLetter<M> letter(Mark seen, Attempt attempt, String coordinates, M message) {
    return new DeadLetter<>(
        message,
        consumer,
        seen.key().id().toString(),
        coordinates,
        seen.claim().attempt().number(),
        attempt.inDoubt() ? DeadLetter.Kind.IN_DOUBT : DeadLetter.Kind.NOT_RETRYABLE,
        REASON,
        attempt.inDoubt());
  }

  /**
   * Gives the claim back, so that the message can be claimed at once. A stale mark that is not in
   * doubt stays claimed until the lease ends: given back it would be in no list of open marks.
   */
  private void giveBack(Mark seen, Acquired acquired, Throwable failure) {
    if (seen.state() == MarkState.PROCESSING && !acquired.claim().attempt().inDoubt()) {
      return;
    }
    try {
      settle(acquired, new Verdict.Release());
    } catch (StoreException e) {
      failure.addSuppressed(e);
    }
  }

  /** Sends a claim, again with the same nonce if the store does not answer. */
  private ClaimAnswer claim(ClaimRequest request) {
    return RetryingCalls.of(() -> {
      ClaimAnswer answer = store.claim(List.of(request), LEASE).get(0);
      if (answer instanceof ClaimAnswer.Unavailable unavailable) {
        throw Text.of("mark.unclaimed", unavailable.reason()).storeFailure();
      }
      return answer;
    });
  }

  /** Sends a settlement, again if the store does not answer. */
  private SettleAnswer settle(Acquired acquired, Verdict verdict) {
    Settlement settlement = new Settlement(acquired.claim(), verdict);
    return RetryingCalls.of(() -> {
      SettleAnswer answer = store.settle(List.of(settlement)).get(0);
      if (answer instanceof SettleAnswer.Unavailable unavailable) {
        throw Text.of("mark.unsettled", unavailable.reason()).storeFailure();
      }
      return answer;
    });
  }

  private static RedriveResult answer(SettleAnswer answer) {
    return answer.equals(new SettleAnswer.Settled(false))
        ? new Published()
        : new Refused(Text.of("letters.changed"));
  }

  private static RedriveResult refused(ClaimAnswer answer) {
    return answer instanceof ClaimAnswer.Busy busy
        ? new Refused(Text.of("mark.busy", busy.remaining()))
        : new Refused(Text.of("mark.changed"));
  }
}
