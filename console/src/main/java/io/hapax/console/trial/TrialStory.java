package io.hapax.console.trial;

import java.time.Instant;
import java.util.List;

/**
 * The story of one action. It grows until both lanes have a result.
 *
 * @param action the action
 * @param at when it began
 * @param begun what was done for both lanes
 * @param parts what came of it, by lane
 */
public record TrialStory(TrialAction action, Instant at, List<TrialStep> begun, List<Part> parts) {

  /**
   * What came of an action in one lane.
   *
   * @param lane the lane
   * @param level the result
   * @param steps the steps; the last one is the result, or what the lane waits for
   */
  public record Part(TrialLane lane, TrialLevel level, List<TrialStep> steps) {}
}
