package io.hapax.console.action;

/** A change or an audit that an operator can start from a page. */
@FunctionalInterface
public interface Action {

  /**
   * Plans the action as a dry run. Changes nothing.
   *
   * @param confirmed stores the plan of a dry run that runs in a job
   * @return Planned, Refused, or Started if the dry run takes longer
   */
  Outcome plan(Fields fields, Confirmation confirmed) throws Exception;
}
