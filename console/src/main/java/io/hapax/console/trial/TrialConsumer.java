package io.hapax.console.trial;

import java.util.OptionalLong;

/**
 * A consumer of a demo.
 *
 * @param name its name, which stays the same when its process is replaced
 * @param lane its lane
 * @param pid the id of its process; empty if there is none now
 * @param state its state
 */
public record TrialConsumer(String name, TrialLane lane, OptionalLong pid, State state) {

  /** The state of a consumer. */
  public enum State {
    /** Its process was started and does not read yet. */
    STARTING,
    /** It reads. */
    RUNNING,
    /** Its process is frozen. */
    FROZEN,
    /** Its process has ended. A new one starts soon. */
    ENDED
  }
}
