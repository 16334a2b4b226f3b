package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.errors.DeferredException;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.List;

/** Creates the delivery of a claimed message for one call of a handler or a probe. */
final class Deliveries {

  private static final Duration SOON = Duration.ofSeconds(1);

  private Deliveries() {}

  /** For a probe, which must not change the message; inside of its call, too. */
  static <M> Delivery<M> forProbe(InFlightMessage<M> message, Acquired acquired) {
    return delivery(message.incoming.message(), message, acquired);
  }

  /**
   * For one call of a handler, inside of that call: a message that cannot be read again fails it.
   */
  static <M> List<Delivery<M>> of(List<ClaimedMessage<M>> messages) {
    return messages.size() == 1 // most calls are for one message
        ? List.of(of(messages.get(0)))
        : messages.stream().map(Deliveries::of).toList();
  }

  private static <M> Delivery<M> of(ClaimedMessage<M> message) {
    return delivery(next(message.message()), message.message(), message.acquired());
  }

  private static <M> M next(InFlightMessage<M> message) {
    try {
      return message.incoming.handout().next();
    } catch (Throwable e) { // the user's code in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      throw new DeferredException(
          SOON, "the message cannot be given to another call: " + Descriptions.of(e));
    }
  }

  private static <M> Delivery<M> delivery(
      M received, InFlightMessage<M> message, Acquired acquired) {
    return new Delivery<>(received, acquired, message.lease);
  }
}
