package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.util.List;

/**
 * A dry run of an action, or its result.
 *
 * @param action the action: reopen, done, redeliver, redrive, replay, generation
 * @param lines the planned or executed changes
 * @param refusal the reason of a refusal; otherwise empty
 * @param plan the value of the field {@code plan}, which executes this plan; empty if it cannot be
 *     executed
 * @param back the address to go back to, without the base
 */
public record PlanView(
    String action,
    State state,
    Text subject,
    List<Text> lines,
    Text refusal,
    String plan,
    String back) {

  /** {@return the same dry run, with the value that executes it} */
  public PlanView executedBy(String secret) {
    return new PlanView(action, state, subject, lines, refusal, secret, back);
  }

  /** The state of a plan. */
  public enum State {
    /** A dry run: the action can be executed. */
    PLANNED,
    /** The dry run or the action was refused; nothing was changed. */
    REFUSED,
    /** The action was executed. */
    EXECUTED,
    /** The action failed; part of the change may have been made. */
    FAILED
  }
}
