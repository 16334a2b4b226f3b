package io.hapax.jdbc;

/** Finds the ends of tokens in SQL: words, quoted text, comments. */
final class SqlText {

  private SqlText() {}

  /** Returns the index after the token that begins at an index. */
  static int tokenEnd(String sql, int at) {
    char c = sql.charAt(at);
    if (sql.startsWith("--", at)) {
      return behind(sql, "\n", at + 2);
    } else if (sql.startsWith("/*", at)) {
      return commentEnd(sql, at);
    } else if (c == '\'' || c == '"' || c == '`') {
      return quoteEnd(sql, at, false);
    } else if ((c == 'e' || c == 'E') && sql.startsWith("'", at + 1)) {
      return quoteEnd(sql, at + 1, true);
    } else if (c == '$') {
      return dollarEnd(sql, at);
    } else if (Character.isJavaIdentifierStart(c)) {
      return wordEnd(sql, at);
    }
    return at + 1;
  }

  static int wordEnd(String sql, int start) {
    int end = start + 1;
    while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  static int behind(String sql, String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }

  /** Finds the end of a comment; comments nest in PostgreSQL and H2. */
  private static int commentEnd(String sql, int start) {
    int depth = 1;
    int at = start + 2;
    while (at < sql.length() && depth > 0) {
      if (sql.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (sql.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else {
        at++;
      }
    }
    return at;
  }

  /**
   * Finds the closing quote. A doubled quote is read as two quoted texts, which gives the same
   * result.
   */
  static int quoteEnd(String sql, int start, boolean escapes) {
    int at = start + 1;
    while (at < sql.length() && sql.charAt(at) != sql.charAt(start)) {
      at += escapes && sql.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, sql.length());
  }

  /** {@code $$..$$} or {@code $tag$..$tag$}; {@code $1} is a parameter. */
  private static int dollarEnd(String sql, int start) {
    int at = start + 1;
    while (at < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(at)) || sql.charAt(at) == '_')) {
      at++;
    }
    boolean parameter = at > start + 1 && Character.isDigit(sql.charAt(start + 1));
    if (parameter || at >= sql.length() || sql.charAt(at) != '$') {
      return at;
    }
    return behind(sql, sql.substring(start, at + 1), at + 1);
  }
}
