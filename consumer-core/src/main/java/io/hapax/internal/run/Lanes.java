package io.hapax.internal.run;

import io.hapax.internal.claim.Claims;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Claims all messages of a submission in one call, and runs them in lanes. Holds the parts that all
 * lanes of an engine use.
 */
public record Lanes<M>(
    MessageStart<M> start,
    Claims<M> claims,
    Suspects<M> suspects,
    Tasks<M> tasks,
    InFlightIds ids,
    ClaimLimiter limiter) {

  boolean takesMany() {
    return start.step().takesMany();
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

  /** Claims the messages in one call, as far as the limit allows it, and appends them to lanes. */
  private void run(List<InFlightMessage<M>> messages, Function<InFlightMessage<M>, OpenLane> of) {
    ActiveSubmission<M> submission = messages.get(0).submission;
    List<InFlightMessage<M>> asked = messages.stream().filter(ids::heldBy).toList();
    ClaimLimiter.Ticket ticket = limiter.ticket(asked.size());
    List<Lane<M>> parts = new ArrayList<>();
    for (List<InFlightMessage<M>> lane : group(messages)) {
      parts.add(lane(of.apply(lane.get(0)), lane, ticket::turnHasCome, message -> {}));
    }
    Runnable answered = submission.together(() -> parts.forEach(Lane::openOnceAnswered));
    submission.whenGivenUpOrOver(() -> {
      if (submission.over()) {
        ticket.over();
      }
    });
    ticket.claim(tasks.guarded(messages, () -> claims.claim(asked, answered)));
  }

  /**
   * Returns the messages as a part of a lane, behind its other parts. The first action runs once or
   * more when its turn has come, the second one before a message waits for a probe.
   */
  Lane<M> lane(
      OpenLane lane,
      List<InFlightMessage<M>> messages,
      Runnable atTurn,
      Consumer<InFlightMessage<M>> beforeProbe) {
    Lane<M> part = new Lane<>(this, lane, messages, atTurn, beforeProbe);
    part.append();
    return part;
  }

  /** Returns the messages by lane, each in the order in which they were submitted. */
  static <M> Collection<List<InFlightMessage<M>>> group(Collection<InFlightMessage<M>> messages) {
    Map<String, List<InFlightMessage<M>>> lanes = new LinkedHashMap<>();
    for (InFlightMessage<M> message : messages) {
      lanes.computeIfAbsent(message.incoming.lane(), lane -> new ArrayList<>()).add(message);
    }
    return lanes.values();
  }
}
