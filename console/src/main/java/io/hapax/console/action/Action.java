package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Planned;
import java.util.function.Function;

/** A change or an audit that an operator can start from a page. */
@FunctionalInterface
public interface Action {

  /**
   * Plans the action as a dry run. Changes nothing.
   *
   * @param confirmed stores the plan of a dry run that runs in a job, for the user who started it,
   *     and returns the secret that permits its execution
   */
  ActionResult plan(Fields fields, Function<Planned, String> confirmed) throws Exception;
}
