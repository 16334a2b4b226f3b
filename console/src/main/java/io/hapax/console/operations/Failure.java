package io.hapax.console.operations;

import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The failure by which dead letters are grouped: the kind of the dead letter, the classes of its
 * exceptions, and the method of the application that failed. The messages of exceptions are left
 * out, because they usually contain an id.
 *
 * @param text the classes of the exceptions, and the method; without an exception the reason, with
 *     {@code #} for digits
 */
public record Failure(String kind, String text) {

  /**
   * The quantifier is possessive, because a record may contain any text, and backtracking overflows
   * the stack on a long one.
   */
  private static final Pattern EXCEPTION = Pattern.compile("(?:^|caused by |in doubt: )"
      + "((?:[a-zA-Z_$][\\w$]*\\.)++[A-Z_$][\\w$]*)(?=$|:|, caused by )");

  private static final int LONGEST = 120;

  /**
   * {@return the failure of a dead letter, whose detail is the exception and its root cause, or
   * another reason} The method that failed is empty if unknown.
   */
  public static Failure of(String kind, String detail, String failedAt) {
    Set<String> classes = new LinkedHashSet<>();
    Matcher matcher = EXCEPTION.matcher(detail);
    while (matcher.find()) {
      classes.add(matcher.group(1));
    }
    String what = classes.isEmpty() ? general(detail) : String.join(", ", classes);
    return new Failure(kind, failedAt.isEmpty() ? what : what + " at " + failedAt);
  }

  private static String general(String detail) {
    String text = detail.replaceAll("\\d+", "#");
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }

  /** {@return a short name for addresses and forms: hexadecimal digits} */
  public String key() {
    byte[] bytes = (kind + "\n" + text).getBytes(StandardCharsets.UTF_8);
    return Long.toHexString(Fingerprint.of(bytes).value());
  }
}
