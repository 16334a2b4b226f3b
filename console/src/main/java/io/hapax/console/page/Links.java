package io.hapax.console.page;

import io.hapax.console.view.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds addresses of the console. */
public final class Links {

  private Links() {}

  /**
   * Returns an address, not escaped for HTML, with the names and values of its query in turn.
   * Parameters without a value are left out.
   */
  public static String to(Page page, String path, String... query) {
    StringBuilder address = new StringBuilder(page.base()).append(path);
    char separator = '?';
    for (int i = 0; i < query.length; i += 2) {
      if (!query[i + 1].isEmpty()) {
        address.append(separator).append(query[i]).append('=').append(encoded(query[i + 1]));
        separator = '&';
      }
    }
    return address.toString();
  }

  /** Returns the address of the same page in another language. */
  public static String inLanguage(Page page, String language) {
    char separator = page.address().contains("?") ? '&' : '?';
    return page.base() + page.address() + separator + "lang=" + encoded(language);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
