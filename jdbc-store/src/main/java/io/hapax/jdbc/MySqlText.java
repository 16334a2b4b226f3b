package io.hapax.jdbc;

/**
 * Finds the ends of tokens in SQL of MySQL or MariaDB. The content of an executable comment
 * ({@code /*! ..}) is read as SQL. Whether a backslash escapes depends on the session's mode, so
 * the screen reads a text both ways.
 */
record MySqlText(boolean escapes) implements StatementScreen.Reading {

  @Override
  public int tokenEnd(String sql, int at) {
    char c = sql.charAt(at);
    if (c == '#' || isDashComment(sql, at)) {
      return SqlText.behind(sql, "\n", at + 1);
    } else if (sql.startsWith("/*!", at)) {
      return digitsEnd(sql, at + 3);
    } else if (sql.startsWith("/*M!", at)) {
      return digitsEnd(sql, at + 4);
    } else if (sql.startsWith("/*", at)) {
      return SqlText.behind(sql, "*/", at + 2);
    } else if (c == '\'' || c == '"' || c == '`') {
      return SqlText.quoteEnd(sql, at, escapes && c != '`');
    } else if (Character.isJavaIdentifierStart(c)) {
      return SqlText.wordEnd(sql, at);
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
}
