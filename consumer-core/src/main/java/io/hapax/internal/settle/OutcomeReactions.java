package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.mark.Verdict;
import java.util.List;

/** Connects outcomes with the parts of this package that react to them. */
public record OutcomeReactions<M>(
    Outcomes<M> outcomes,
    Results<M> results,
    Settler<M> settler,
    Conflicts<M> conflicts,
    Tasks<M> tasks)
    implements Outcomes.Reactions<M> {

  private static final String DETAIL = "another payload was just handled under this id";

  @Override
  public boolean answers(InFlightMessage<M> message, Outcome outcome) {
    if (!results.wanted(outcome)) {
      return false;
    }
    results.answer(message, (Outcome.Duplicate) outcome);
    return true;
  }

  @Override
  public void conflicts(InFlightMessage<M> follower) {
    tasks.work(List.of(follower), () -> {
      var unused = conflicts.finish(follower, DETAIL);
    });
  }

  @Override
  public void release(InFlightMessage<M> message, Outcome outcome) {
    settler.settle(message, new Verdict.Release(), outcome);
  }
}
