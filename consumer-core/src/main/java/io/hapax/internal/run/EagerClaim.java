package io.hapax.internal.run;

import io.hapax.internal.claim.Claims;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.ActiveSubmission.Position;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Claims all messages of a submission in one call, and runs their lanes. */
public final class EagerClaim<M> {

  private final Lanes<M> lanes;
  private final Claims<M> claims;
  private final InFlightIds ids;
  private final ClaimLimiter limiter;

  /** Claims up to a limit of unfinished messages of open lanes ahead of their turn. */
  public EagerClaim(Lanes<M> lanes, Claims<M> claims, InFlightIds ids, int limit) {
    this.lanes = lanes;
    this.claims = claims;
    this.ids = ids;
    this.limiter = new ClaimLimiter(limit);
  }

  /** Runs them in lanes that outlive their submission, if it has any; see {@link #runAlone}. */
  public void run(List<InFlightMessage<M>> messages) {
    Optional<Position> open = Lanes.open(messages);
    if (open.isPresent()) {
      run(open.get(), messages);
    } else {
      runAlone(messages);
    }
  }

  private void run(Position open, List<InFlightMessage<M>> messages) {
    List<InFlightMessage<M>> asked = asked(messages);
    ClaimLimiter.Ticket ticket = limiter.ticket(asked.size());
    List<Lane<M>> parts = new ArrayList<>();
    for (List<InFlightMessage<M>> lane : Lanes.group(messages)) {
      parts.add(lanes.part(open.lane(Lanes.name(lane)), lane, ticket::turnHasCome));
    }
    Runnable answered = () -> parts.forEach(Lane::openOnceAnswered);
    messages.get(0).submission.whenOver(ticket::over);
    ticket.claim(lanes.tasks().guarded(messages, () -> claims.claimElsewhere(asked, answered)));
  }

  /** Runs them in lanes of their own. */
  void runAlone(List<InFlightMessage<M>> messages) {
    if (messages.isEmpty()) {
      return;
    }
    ActiveSubmission<M> submission = messages.get(0).submission;
    List<Lane<M>> opened =
        Lanes.group(messages).stream().map(it -> lanes.lane(it, message -> {})).toList();
    List<InFlightMessage<M>> asked = asked(messages);
    Runnable answered = submission.together(() -> opened.forEach(Lane::openOnceAnswered));
    claims.claimElsewhere(asked, answered);
  }

  private List<InFlightMessage<M>> asked(List<InFlightMessage<M>> messages) {
    List<InFlightMessage<M>> asked = new ArrayList<>(messages);
    asked.removeIf(message -> !ids.heldBy(message));
    return asked;
  }
}
