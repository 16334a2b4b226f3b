package io.hapax.console.action;

/** Stores the plan of a dry run for the user who started it. */
@FunctionalInterface
public interface Confirmation {

  /**
   * Stores a plan.
   *
   * @return the secret that permits its execution
   */
  String of(Outcome.Planned planned);
}
