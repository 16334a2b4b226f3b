package io.hapax.console.page;

import java.util.regex.Pattern;

/** The text of a template without its tags, expressions and directives. */
final class TemplateText {

  private static final Pattern LINE = Pattern.compile("(?m)^@(?:import|param) .*$");
  private static final Pattern TAG = Pattern.compile("<(?:[^>\"]|\"[^\"]*\")*>");
  private static final Pattern WORD = Pattern.compile("@(?:endif|endfor|else)\\b");
  private static final Pattern HEAD = Pattern.compile("@(?:if|elseif|for|template\\.[\\w.-]+)\\(");

  private final String source;
  private final StringBuilder rest = new StringBuilder();
  private int at;

  private TemplateText(String source) {
    this.source = source;
  }

  static String of(String template) {
    String body = new TemplateText(LINE.matcher(template).replaceAll("")).withoutCode();
    return WORD.matcher(TAG.matcher(body).replaceAll(" ")).replaceAll(" ");
  }

  private String withoutCode() {
    while (at < source.length()) {
      var head = HEAD.matcher(source).region(at, source.length());
      if (source.startsWith("${", at) || source.startsWith("!{", at)) {
        skip(at + 2, '{', '}');
      } else if (head.lookingAt()) {
        skip(head.end(), '(', ')');
      } else {
        rest.append(source.charAt(at++));
      }
    }
    return rest.toString();
  }

  /**
   * Continues after the closing bracket or, if an argument contains a part of a page, inside of the
   * argument.
   */
  private void skip(int from, char open, char close) {
    int depth = 1;
    at = from;
    while (depth > 0) {
      char next = source.charAt(at++);
      if (next == '`') {
        return;
      }
      depth += next == open ? 1 : next == close ? -1 : 0;
    }
  }
}
