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

  /** The dry run succeeded and can be executed. */
  record Planned(String subject, List<String> lines, Execution execution) implements Outcome {}

  /** The action was executed. */
  record Executed(List<String> lines) implements Outcome {}

  /** The action was refused and changed nothing. */
  record Refused(String why) implements Outcome {}

  /** The action continues in a job. */
  record Started(Job job) implements Outcome {}
}
