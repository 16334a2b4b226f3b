package io.hapax.redrive;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Mark;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * Dead-letters the message of an open mark, in the steps of a consumer: it claims the message,
 * publishes the record, and then sets the mark to DEAD. So no consumer can run the message
 * meanwhile. If the process ends before the last step, the mark is stale, and the next delivery of
 * the message runs it, although its record is in the dead-letter topic. A redrive of that record
 * then finds the message done.
 */
final class DeadLettering {

  private static final String OPERATOR = "operator";
  private static final String REASON = "given up by an operator";

  /** Longer than a publisher waits for its broker. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  /** No handler runs under this claim, so its loss leaves nothing in doubt. */
  private static final ClaimTerms TERMS = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);

  private final DedupStore store;
  private final String consumer;

  DeadLettering(DedupStore store, String consumer) {
    this.store = store;
    this.consumer = consumer;
  }

  /**
   * Dead-letters a message.
   *
   * @param seen its mark
   * @param coordinates where the message lies
   * @throws StoreException if the store did not answer
   * @throws Exception what the publisher threw; then the claim was given back
   */
  <M> RedriveResult run(Mark seen, String coordinates, M message, DeadLetterPublisher<M> letters)
      throws Exception {
    UUID nonce = UUID.randomUUID();
    ClaimRequest request = new ClaimRequest(
        seen.key(),
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        seen.claim().fingerprint(),
        new Origin(OPERATOR, coordinates),
        TERMS);
    ClaimAnswer answer = store.claim(List.of(request), LEASE).get(0);
    if (!(answer instanceof Acquired acquired)) {
      return refused(answer);
    }
    boolean published = false;
    try {
      if (acquired.kind() == ClaimAnswer.Kind.FRESH) {
        return new Refused("there is no mark of it in this store any more");
      }
      letters.publish(letter(acquired, coordinates, message));
      published = true;
    } finally {
      if (!published) {
        settle(acquired, new Verdict.Release());
      }
    }
    return answer(settle(acquired, new Verdict.Dead(REASON)));
  }

  private <M> DeadLetter<M> letter(Acquired acquired, String coordinates, M message) {
    return new DeadLetter<>(
        message,
        consumer,
        acquired.claim().key().id().toString(),
        coordinates,
        Math.max(0, acquired.claim().attempt().number() - 1),
        acquired.recovered() ? DeadLetter.Kind.IN_DOUBT : DeadLetter.Kind.NOT_RETRYABLE,
        REASON,
        acquired.recovered());
  }

  private SettleAnswer settle(Acquired acquired, Verdict verdict) {
    return store.settle(List.of(new Settlement(acquired.claim(), verdict))).get(0);
  }

  private static RedriveResult answer(SettleAnswer answer) {
    return answer.match(
        settled -> settled.markLost() ? changed() : new Published(),
        fenced -> changed(),
        unavailable -> {
          throw new StoreException("the record is published, but it is unknown whether the mark is"
              + " DEAD: " + unavailable.reason());
        });
  }

  private static RedriveResult changed() {
    return new Refused("its record is in the dead-letter topic, but its mark has changed meanwhile:"
        + " look it up again");
  }

  private static RedriveResult refused(ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Unavailable unavailable) {
      throw new StoreException("the mark cannot be claimed: " + unavailable.reason());
    }
    if (answer instanceof ClaimAnswer.Busy busy) {
      return new Refused("an owner holds it, or it waits for its next attempt, for "
          + busy.remaining().truncatedTo(ChronoUnit.SECONDS));
    }
    return new Refused("its mark changed after it was read");
  }
}
