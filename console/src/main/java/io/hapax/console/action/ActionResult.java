package io.hapax.console.action;

import io.hapax.console.job.Job;
import io.hapax.operations.text.Text;
import java.util.List;

/** The result of planning or executing an action. */
public sealed interface ActionResult {

  /** Executes exactly the planned change. */
  @FunctionalInterface
  interface Execution {

    /** Executes the plan. The outcome is Executed, Refused or Started. */
    ActionResult execute() throws Exception;
  }

  /**
   * The dry run succeeded and can be executed.
   *
   * @param ids the messages that the action concerns, in the format of {@code --message}
   */
  record Planned(Text subject, List<String> ids, List<Text> lines, Execution execution)
      implements ActionResult {}

  /** The action was executed. */
  record Executed(List<Text> lines) implements ActionResult {}

  /** The action was refused and changed nothing. */
  record Refused(Text why) implements ActionResult {}

  /** The action continues in a job. */
  record Started(Job job) implements ActionResult {}
}
