package io.hapax.console.view;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The view that leads through audit, replay and generation.
 *
 * @param generation the generation of the consumer; empty if the store did not answer
 * @param movable whether the group and the generation can be moved from here
 * @param broker whether the console has a broker; without one there is no audit and no replay
 */
public record ReplayView(
    Step step,
    String topic,
    String group,
    String from,
    OptionalInt generation,
    boolean movable,
    boolean broker,
    Optional<JobView> audit,
    Optional<JobView> plan,
    List<JobView> jobs) {

  /** A step of the view. */
  public enum Step {
    /** Compare the topic with the marks. */
    AUDIT,
    /** Move the stopped group. */
    REPLAY,
    /** Move to the next generation. */
    GENERATION
  }
}
