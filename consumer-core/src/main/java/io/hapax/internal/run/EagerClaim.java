package io.hapax.internal.run;

import io.hapax.internal.claim.Claimer;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import java.util.ArrayList;
import java.util.List;

/** Claims all messages of a submission in one call, and runs their lanes. */
public final class EagerClaim<M> {

  private final Lanes<M> lanes;
  private final Claimer<M> claimer;
  private final InFlightIds ids;

  public EagerClaim(Lanes<M> lanes, Claimer<M> claimer, InFlightIds ids) {
    this.lanes = lanes;
    this.claimer = claimer;
    this.ids = ids;
  }

  public void run(List<InFlightMessage<M>> messages) {
    List<Lane<M>> opened = Lanes.group(messages).stream().map(lanes::lane).toList();
    List<InFlightMessage<M>> asked = new ArrayList<>(messages);
    asked.removeIf(message -> !ids.heldBy(message));
    Runnable answered = () -> opened.forEach(Lane::openOnceAnswered);
    if (messages.stream().anyMatch(message -> message.batch.isHere())) {
      claimer.claimElsewhere(asked, answered);
    } else {
      claimer.claim(asked, answered);
    }
  }
}
