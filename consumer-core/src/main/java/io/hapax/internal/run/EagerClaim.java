package io.hapax.internal.run;

import io.hapax.internal.claim.Claims;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Claims all messages of a submission in one call, and runs their lanes. */
public final class EagerClaim<M> {

  private final Lanes<M> lanes;
  private final Claims<M> claims;
  private final InFlightIds ids;
  private final ClaimLimiter limiter;

  /** Claims up to a limit of unfinished messages ahead of their turn. */
  public EagerClaim(Lanes<M> lanes, Claims<M> claims, InFlightIds ids, int limit) {
    this.lanes = lanes;
    this.claims = claims;
    this.ids = ids;
    this.limiter = new ClaimLimiter(limit);
  }

  /** Runs them in the lanes of their submission. */
  public void run(List<InFlightMessage<M>> messages) {
    run(messages, InFlightMessage::lane);
  }

  /** Runs them in lanes of their own, which have their turn at once. */
  void runAlone(List<InFlightMessage<M>> messages) {
    if (!messages.isEmpty()) {
      run(messages, message -> new OpenLane(true));
    }
  }

  private void run(List<InFlightMessage<M>> messages, Function<InFlightMessage<M>, OpenLane> of) {
    ActiveSubmission<M> submission = messages.get(0).submission;
    List<InFlightMessage<M>> asked = messages.stream().filter(ids::heldBy).toList();
    ClaimLimiter.Ticket ticket = limiter.ticket(asked.size());
    List<Lane<M>> parts = new ArrayList<>();
    for (List<InFlightMessage<M>> lane : Lanes.group(messages)) {
      parts.add(lanes.lane(of.apply(lane.get(0)), lane, ticket::turnHasCome, message -> {}));
    }
    Runnable answered = submission.together(() -> parts.forEach(Lane::openOnceAnswered));
    submission.whenGivenUpOrOver(() -> {
      if (submission.over()) {
        ticket.over();
      }
    });
    ticket.claim(lanes.tasks().guarded(messages, () -> claims.claimElsewhere(asked, answered)));
  }
}
