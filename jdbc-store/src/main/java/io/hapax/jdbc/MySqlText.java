package io.hapax.jdbc;

/**
 * Finds the ends of tokens in SQL of MySQL or MariaDB. The content of an executable comment
 * ({@code /*! ..}) is read as SQL. Whether a backslash escapes depends on the session's mode, so
 * the screen reads a text both ways.
 *
 * @param escapes whether a backslash in a quoted text escapes
 */
record MySqlText(boolean escapes) implements StatementScreen.Reading {

  @Override
  public int tokenEnd(String sql, int at) {
    char c = sql.charAt(at);
    if (c == '#' || isDashComment(sql, at)) {
      return behind(sql, "\n", at + 1);
    } else if (sql.startsWith("/*!", at)) {
      return digitsEnd(sql, at + 3);
    } else if (sql.startsWith("/*M!", at)) {
      return digitsEnd(sql, at + 4);
    } else if (sql.startsWith("/*", at)) {
      return behind(sql, "*/", at + 2);
    } else if (c == '\'' || c == '"' || c == '`') {
      return quoteEnd(sql, at);
    } else if (Character.isJavaIdentifierStart(c)) {
      int end = at + 1;
      while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
        end++;
      }
      return end;
    }
    return at + 1;
  }

  /** Two dashes begin a comment only before a blank. */
  private static boolean isDashComment(String sql, int at) {
    return sql.startsWith("--", at) && (at + 2 == sql.length() || sql.charAt(at + 2) <= ' ');
  }

  private static int digitsEnd(String sql, int at) {
    int end = at;
    while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int behind(String sql, String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }

  /**
   * Finds the closing quote. A doubled quote is read as two quoted texts, which gives the same
   * result.
   */
  private int quoteEnd(String sql, int start) {
    char quote = sql.charAt(start);
    int at = start + 1;
    while (at < sql.length() && sql.charAt(at) != quote) {
      at += escapes && quote != '`' && sql.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, sql.length());
  }
}
