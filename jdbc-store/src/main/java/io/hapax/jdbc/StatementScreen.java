package io.hapax.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Reads the first words of each statement in a text, to find statements that would end the
 * handler's transaction. The check before the commit finds those that it overlooks, but only after
 * they have run.
 */
record StatementScreen(Dialect dialect) {

  /** As many as {@code CREATE OR REPLACE TEMPORARY} has. */
  private static final int WORDS = 4;

  private static final Set<String> ENDING = Set.of(
      "COMMIT",
      "BEGIN",
      "START",
      "END",
      "ABORT",
      "PREPARE TRANSACTION",
      "PREPARE COMMIT",
      "SET AUTOCOMMIT",
      "SET SESSION AUTOCOMMIT",
      "SET LOCAL AUTOCOMMIT",
      "SET SESSION CHARACTERISTICS");

  /** Finds the ends of tokens in SQL: words, quoted text, comments. */
  @FunctionalInterface
  interface Reading {

    int tokenEnd(String sql, int at);
  }

  /** Returns the first words of a statement that would end the transaction, if there is one. */
  Optional<String> ending(String sql) {
    return dialect.readings().stream()
        .flatMap(reading -> beginnings(sql, reading).stream())
        .filter(this::ends)
        .findFirst()
        .map(it -> String.join(" ", it));
  }

  private boolean ends(List<String> words) {
    String first = words.get(0);
    if (first.equals("ROLLBACK")) {
      return !words.contains("TO");
    }
    return begins(words, ENDING)
        || (begins(words, dialect.committing()) && !begins(words, dialect.harmless()));
  }

  private static boolean begins(List<String> words, Set<String> phrases) {
    return IntStream.rangeClosed(1, words.size())
        .anyMatch(count -> phrases.contains(String.join(" ", words.subList(0, count))));
  }

  private static List<List<String>> beginnings(String sql, Reading reading) {
    List<List<String>> beginnings = new ArrayList<>();
    List<String> words = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      int end = reading.tokenEnd(sql, at);
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
