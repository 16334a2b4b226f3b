package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.internal.claim.Claims;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
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
public record ObservedStart<M>(Parts<M> parts, Runs<M> runs) {

  /** The runs of the other engine. */
  public interface Runs<M> {

    CompletionStage<Outcome> outcome(M message);

    End end(M message, Attempt attempt, Outcome outcome);
  }

  /** The end of an observed claim. Without a verdict, the claim expires with its lease. */
  public record End(Optional<Verdict> verdict, Outcome outcome) {

    public End(Verdict verdict, Outcome outcome) {
      this(Optional.of(verdict), outcome);
    }
  }

  public record Parts<M>(
      Claims<M> claims,
      InFlightIds ids,
      UnacquiredClaims<M> unacquired,
      Settler<M> settler,
      Outcomes<M> outcomes,
      Tasks<M> tasks) {}

  /** Claims the messages. One that is not the holder of its id finishes with its holder. */
  public void run(List<InFlightMessage<M>> messages) {
    List<InFlightMessage<M>> asked =
        messages.stream().filter(parts.ids()::heldBy).toList();
    parts.claims().claimElsewhere(asked, () -> asked.forEach(this::answered));
  }

  private void answered(InFlightMessage<M> message) {
    if (!message.asking() && message.isAnswered()) {
      parts.tasks().guarded(List.of(message), () -> take(message)).run();
    }
  }

  private void take(InFlightMessage<M> message) {
    if (message.answer() instanceof Suspect) {
      Runnable claim = () -> parts.claims().claimSolo(message, () -> answered(message));
      if (message.givenUpFor().isEmpty() && !message.requiredRequest().terms().solo()) {
        parts.tasks().call(List.of(message), claim);
        return;
      }
    }
    if (message.start()) {
      started(message);
    }
  }

  private void started(InFlightMessage<M> message) {
    if (message.answer() instanceof Acquired acquired) {
      Attempt attempt = acquired.claim().attempt();
      var unused = runs.outcome(message.incoming.message())
          .thenAccept(run -> parts
              .tasks()
              .guarded(List.of(message), () -> ended(message, attempt, run))
              .run());
    } else {
      var unused = parts.unacquired().finish(message, message.answer());
    }
  }

  private void ended(InFlightMessage<M> message, Attempt attempt, Outcome run) {
    End end = runs.end(message.incoming.message(), attempt, run);
    if (end.verdict().isPresent()) {
      parts.settler().settle(message, end.verdict().get(), end.outcome());
    } else {
      parts.outcomes().finish(message, end.outcome());
    }
  }
}
