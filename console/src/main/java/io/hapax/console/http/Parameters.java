package io.hapax.console.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the parameters of an address or a form. */
public final class Parameters {

  private static final int MOST = 10_000;

  private Parameters() {}

  /**
   * Decodes parameters.
   *
   * @param encoded as in an address, without the question mark
   * @return the values by name
   * @throws IllegalArgumentException if the text is malformed, or has too many parameters
   */
  public static Map<String, List<String>> decode(String encoded) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (encoded.isEmpty()) {
      return parameters;
    }
    int count = 0;
    for (String pair : encoded.split("&", -1)) {
      if (++count > MOST) {
        throw new IllegalArgumentException(
            "the request has more than " + MOST + " parameters, which is the limit");
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      parameters.computeIfAbsent(decoded(name), it -> new ArrayList<>()).add(decoded(value));
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
