package io.hapax.console.view;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a job: an audit, a replay or a redrive.
 *
 * @param kind audit, replay-plan, redrive
 * @param all the number of all messages; empty if unknown
 * @param text the report, as the command line prints it; empty until it has ended
 * @param error the reason of a failure; otherwise empty
 * @param confirm the plan to execute after this dry run: the value of {@code plan}
 * @param fields the fields of that form, without csrf and plan
 */
public record JobView(
    String id,
    String kind,
    String title,
    State state,
    long done,
    OptionalLong all,
    Instant started,
    String text,
    String error,
    Optional<String> confirm,
    Map<String, String> fields) {

  /** The state of a job. */
  public enum State {
    /** The job waits for a thread, or runs. */
    RUNNING,
    /** The job has ended with a result. */
    ENDED,
    /** A user has stopped the job. */
    STOPPED,
    /** The job has failed. */
    FAILED
  }
}
