package io.hapax.internal.message;

import io.hapax.Delivery;
import io.hapax.errors.DeferredException;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.List;

/** A message that runs, and its claim. It is delivered inside of the call that it is for. */
public record ClaimedMessage<M>(InFlightMessage<M> message, Acquired acquired) {

  private static final Duration SOON = Duration.ofSeconds(1);

  public Attempt attempt() {
    return acquired.claim().attempt();
  }

  public static <M> List<Delivery<M>> deliveries(List<ClaimedMessage<M>> messages) {
    return messages.size() == 1 // most calls are for one message
        ? List.of(messages.get(0).delivery())
        : messages.stream().map(ClaimedMessage::delivery).toList();
  }

  private Delivery<M> delivery() {
    return delivery(next());
  }

  /** A message that cannot be read again fails the call. */
  private M next() {
    try {
      return message.incoming.handout().next();
    } catch (Throwable e) { // the user's code in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      throw new DeferredException(
          SOON, "the message cannot be given to another call: " + Descriptions.of(e));
    }
  }

  /** Returns the delivery for a probe, which must not change the message. */
  public Delivery<M> unchanged() {
    return delivery(message.incoming.message());
  }

  private Delivery<M> delivery(M received) {
    return new Delivery<>(received, acquired, message.lease);
  }
}
