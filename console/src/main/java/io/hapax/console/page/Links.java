package io.hapax.console.page;

import io.hapax.console.view.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds addresses of the console. */
public final class Links {

  private Links() {}

  /**
   * Returns an address with a query. Parameters without a value are left out.
   *
   * @param page the page that contains the link
   * @param path the path below the base
   * @param query names and values in turn
   * @return the address, not escaped for HTML
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

  /**
   * Returns the address of the same page in another language.
   *
   * @param page the page
   * @param language the other language
   * @return the address, not escaped for HTML
   */
  public static String inLanguage(Page page, String language) {
    char separator = page.address().contains("?") ? '&' : '?';
    return page.base() + page.address() + separator + "lang=" + encoded(language);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
