package io.hapax.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The view of one message id.
 *
 * @param history the known events of the message, oldest first
 * @param letters the dead-letter topic that was searched; may be empty
 * @param allSearched whether the record can be nowhere else
 * @param failure why the dead-letter topic could not be searched; may be empty
 * @param actions the actions that are possible now: reopen, done, redeliver, redrive
 */
public record IdView(
    String id,
    Optional<MarkRow> mark,
    List<HistoryRow> history,
    Optional<LetterRow> letter,
    String letters,
    boolean allSearched,
    String failure,
    String scope,
    List<String> actions) {

  /**
   * An event in the history of a message.
   *
   * @param key the key of its text: claimed, lease-ended, due, done, dead, action
   * @param detail a further text; may be empty
   */
  public record HistoryRow(Instant at, String key, String detail) {}
}
