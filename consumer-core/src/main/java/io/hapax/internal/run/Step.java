package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.ClaimedMessage;
import java.util.List;
import java.util.Optional;

/** Runs the handler for claimed messages, and causes their settlement. */
public interface Step<M> {

  boolean takesMany();

  /**
   * Runs started messages of one lane, in its order, on a worker; one, unless the step takes many.
   * They are finished then, or will be after their settlement. Returns the deferral at which the
   * lane stops, if there is one.
   */
  Optional<Deferred> run(List<ClaimedMessage<M>> messages);
}
