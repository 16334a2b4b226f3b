package io.hapax.console.view;

import java.util.List;
import java.util.Optional;

/**
 * The view of open marks that may need a decision, oldest first.
 *
 * @param kind the kind of the marks: stale, in_doubt or leased
 * @param filter a part of the id, place or owner of each mark; empty if all are listed
 * @param count the number of marks of the list
 * @param complete whether there are no more marks than {@code count}
 * @param next the value of {@code after} for the next page
 * @param letters whether a message can be dead-lettered
 */
public record DoubtView(
    String kind,
    String filter,
    List<MarkRow> marks,
    int count,
    boolean complete,
    Optional<String> next,
    boolean first,
    boolean letters) {

  /** {@return the actions on a mark without an owner} */
  public List<String> actions() {
    return letters
        ? List.of("redeliver", "done", "reopen", "dead-letter")
        : List.of("redeliver", "done", "reopen");
  }
}
