package io.hapax.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the first words of each statement in a text, to find those that would end the handler's
 * transaction. What it overlooks is still noticed, but only after it has run.
 */
final class StatementScreen {

  /** {@code ROLLBACK WORK TO}: enough to tell all of them apart. */
  private static final int WORDS = 3;

  private static final Set<String> ENDING = Set.of("COMMIT", "BEGIN", "START", "END", "ABORT");
  private static final Set<String> ENDING_WITH_SECOND = Set.of(
      "PREPARE TRANSACTION",
      "PREPARE COMMIT",
      "SET AUTOCOMMIT",
      "SET SESSION AUTOCOMMIT",
      "SET SESSION CHARACTERISTICS");

  private final Set<String> committing;

  /**
   * Made for a database.
   *
   * @param committing the first words of statements that commit by themselves, in capitals
   */
  StatementScreen(Set<String> committing) {
    this.committing = committing;
  }

  /** The beginning of a statement that would end the transaction, if there is one. */
  Optional<String> ending(String sql) {
    return beginnings(sql).stream().filter(this::ends).findFirst().map(it -> String.join(" ", it));
  }

  private boolean ends(List<String> words) {
    String first = words.get(0);
    if (first.equals("ROLLBACK")) {
      return !words.contains("TO");
    }
    return ENDING.contains(first)
        || committing.contains(first)
        || (words.size() > 1 && ENDING_WITH_SECOND.contains(first + ' ' + words.get(1)))
        || ENDING_WITH_SECOND.contains(String.join(" ", words));
  }

  private static List<List<String>> beginnings(String sql) {
    List<List<String>> beginnings = new ArrayList<>();
    List<String> words = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      int end = SqlText.tokenEnd(sql, at);
      if (sql.charAt(at) == ';') {
        words = new ArrayList<>();
      } else if (Character.isLetter(sql.charAt(at)) && words.size() < WORDS) {
        if (words.isEmpty()) {
          beginnings.add(words);
        }
        words.add(sql.substring(at, end).toUpperCase(Locale.ROOT));
      }
      at = end;
    }
    return beginnings;
  }
}
