package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.util.List;

/** Creates the delivery of a claimed message for a handler or a probe. */
final class Deliveries {

  private Deliveries() {}

  static <M> Delivery<M> of(InFlightMessage<M> item, Acquired acquired) {
    Delivery.Lease lease = UnclaimedRun.is(acquired.claim()) ? UnclaimedRun.NO_LEASE : item.lease;
    return new Delivery<>(item.incoming.message(), acquired, lease);
  }

  static <M> List<Delivery<M>> of(List<ClaimedMessage<M>> messages) {
    return messages.size() == 1 // most calls are for one message
        ? List.of(of(messages.get(0).item(), messages.get(0).acquired()))
        : messages.stream().map(it -> of(it.item(), it.acquired())).toList();
  }
}
