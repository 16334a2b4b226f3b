package io.hapax.console.page;

import io.hapax.console.view.Curve;
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

  /** Returns the page of a figure: its list, or where it is explained. */
  public static String ofFigure(String name) {
    return switch (name) {
      case "indoubt" -> "/doubt?kind=in_doubt";
      case "stale", "takeovers" -> "/doubt?kind=stale";
      case "leased", "busy", "inflight" -> "/doubt?kind=leased";
      case "dead" -> "/deadletters";
      case "conflicts" -> "/conflicts";
      case "duplicates-rate" -> "/duplicates";
      case "problems" -> "/#problems";
      default -> "/consumers"; // topic, group and settings
    };
  }

  /** Returns whether a figure is shown as a number only: others have a curve, or are a rate. */
  public static boolean hasTile(String name) {
    return !Curve.NAMES.contains(name) && !name.equals("executed") && !name.equals("duplicates");
  }

  /** Returns the address of the same page in another language. */
  public static String inLanguage(Page page, String language) {
    char separator = page.address().contains("?") ? '&' : '?';
    return page.base() + page.address() + separator + "lang=" + encoded(language);
  }

  /** Encodes a name or a value of a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** {@return the address, or the first page if it could lead to another site} */
  public static String own(String address) {
    boolean safe = address.startsWith("/")
        && !address.startsWith("//")
        && address.chars().allMatch(it -> it > ' ' && it < 127 && it != '\\');
    return safe ? address : "/";
  }
}
