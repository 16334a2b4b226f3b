package io.hapax.console.view;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The view of dead letters, grouped by failure.
 *
 * @param topic the dead-letter topic; empty if none is set: then the groups are those of the dead
 *     marks
 * @param open the group whose records are shown
 */
public record DeadLettersView(
    String topic,
    List<String> targets,
    long read,
    boolean complete,
    Optional<Duration> oldest,
    List<FailureGroup> groups,
    Optional<FailureGroup> open) {

  /**
   * The dead letters of one failure.
   *
   * @param key the value of {@code group} in addresses and forms
   * @param failure the exception and the first frame of the application, as far as known
   * @param inDoubt the number of them that may have taken effect
   */
  public record FailureGroup(
      String key, String kind, String failure, long count, long inDoubt, List<LetterRow> letters) {}
}
