package io.hapax.console.action;

import io.hapax.console.job.Job;
import java.util.List;

/** The result of planning or executing an action. */
public sealed interface Outcome {

  /** Executes exactly the planned change. */
  @FunctionalInterface
  interface Execution {

    /** Executes the plan. The outcome is Executed, Refused or Started. */
    Outcome execute() throws Exception;
  }

  /**
   * The dry run succeeded and can be executed.
   *
   * @param subject the message, group or consumer that the action changes
   * @param lines the planned changes, for the page
   * @param execution executes the plan
   */
  record Planned(String subject, List<String> lines, Execution execution) implements Outcome {}

  /**
   * The action was executed.
   *
   * @param lines the changes, for the page
   */
  record Executed(List<String> lines) implements Outcome {}

  /**
   * The action was refused and changed nothing.
   *
   * @param why the reason
   */
  record Refused(String why) implements Outcome {}

  /**
   * The action continues in a job.
   *
   * @param job the job
   */
  record Started(Job job) implements Outcome {}
}
