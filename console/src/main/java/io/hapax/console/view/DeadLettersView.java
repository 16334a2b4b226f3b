package io.hapax.console.view;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The view of dead letters, grouped by failure.
 *
 * @param topic the dead-letter topic; empty if none is set: then the groups are those of the dead
 *     marks
 * @param targets the topics that a redrive may publish to
 * @param read the number of records or marks that were read
 * @param complete whether all were read
 * @param oldest the age of the oldest one
 * @param groups the groups, largest first
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
   * @param kind the kind of the dead letters
   * @param failure the exception and the first frame of the application, as far as known
   * @param count the number of dead letters
   * @param inDoubt the number of them that may have taken effect
   * @param letters some of them
   */
  public record FailureGroup(
      String key, String kind, String failure, long count, long inDoubt, List<LetterRow> letters) {}
}
