package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.internal.claim.Claims;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredMessages;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Claims messages that another engine runs, and settles each claim when its run has ended. No
 * message waits for another one, and no thread waits for a run.
 */
public record ObservedStart<M extends ObservedStart.Observed>(
    Claims<M> claims,
    InFlightIds ids,
    UnacquiredMessages<M> unacquired,
    Settler<M> settler,
    Outcomes<M> outcomes,
    Tasks<M> tasks) {

  public interface Observed {

    CompletionStage<Outcome> outcome();

    End end(Attempt attempt, Outcome outcome);
  }

  /** The end of an observed claim. Without a verdict, the claim expires with its lease. */
  public record End(Optional<Verdict> verdict, Outcome outcome) {}

  /** Claims the messages. One that is not the holder of its id finishes with its holder. */
  public void run(List<InFlightMessage<M>> messages) {
    List<InFlightMessage<M>> asked = messages.stream().filter(ids::heldBy).toList();
    claims.claim(asked, () -> asked.forEach(this::answered));
  }

  private void answered(InFlightMessage<M> message) {
    if (!message.asking() && message.isAnswered()) {
      tasks.guarded(List.of(message), () -> take(message)).run();
    }
  }

  private void take(InFlightMessage<M> message) {
    if (message.answer() instanceof Suspect
        && message.givenUpFor().isEmpty()
        && !message.requiredRequest().terms().solo()) {
      claims.claimSolo(message, () -> answered(message));
    } else if (message.start()) {
      started(message);
    }
  }

  private void started(InFlightMessage<M> message) {
    if (message.answer() instanceof Acquired acquired) {
      M run = message.incoming.message();
      Attempt attempt = acquired.claim().attempt();
      var unused = run.outcome()
          .thenAccept(outcome ->
              tasks.runHere(List.of(message), () -> ended(message, run.end(attempt, outcome))));
    } else {
      var unused = unacquired.finish(message, message.answer());
    }
  }

  private void ended(InFlightMessage<M> message, End end) {
    if (end.verdict().isPresent()) {
      settler.settle(message, end.verdict().get(), end.outcome());
    } else {
      outcomes.finish(message, end.outcome());
    }
  }
}
