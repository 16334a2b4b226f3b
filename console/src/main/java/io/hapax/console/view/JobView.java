package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a job: an audit, a search, a replay, a redrive, or a change of several messages.
 *
 * @param kind the action: audit, search, replay, redrive, or one on several messages
 * @param all the number of all messages; empty if unknown
 * @param text the report; empty until it has ended
 * @param error the reason of a failure; otherwise empty
 * @param confirm the plan to execute after this dry run: the value of {@code plan}
 * @param back the address to go back to, without the base; empty if it is unknown
 */
public record JobView(
    String id,
    String kind,
    Text title,
    State state,
    long done,
    OptionalLong all,
    Instant started,
    Text text,
    Text error,
    Optional<String> confirm,
    String back) {

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
