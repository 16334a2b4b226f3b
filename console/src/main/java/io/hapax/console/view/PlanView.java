package io.hapax.console.view;

import java.util.List;
import java.util.Map;

/**
 * A dry run of an action, or its result.
 *
 * @param action the action: reopen, done, redeliver, redrive, replay, generation
 * @param lines the planned or executed changes, as the command line prints them
 * @param refusal the reason of a refusal; otherwise empty
 * @param plan the value of the field {@code plan}, which executes this plan; empty if it cannot be
 *     executed
 * @param fields the other fields of that form, without csrf
 * @param back the address to go back to, without the base
 */
public record PlanView(
    String action,
    State state,
    String subject,
    List<String> lines,
    String refusal,
    String plan,
    Map<String, String> fields,
    String back) {

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
