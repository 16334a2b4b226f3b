package io.hapax.spring.console;

import io.hapax.console.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.web.util.HtmlUtils;
import org.springframework.web.util.UriUtils;

/** The page on which a user selects a consumer. */
final class ConsumerList {

  private ConsumerList() {}

  static Response page(String root, List<String> consumers) {
    if (consumers.size() == 1) {
      return Response.redirect(address(root, consumers.get(0)));
    }
    StringBuilder html = new StringBuilder("<!DOCTYPE html><html lang=\"en\"><head>"
        + "<meta charset=\"utf-8\"><title>Hapax</title></head><body><main><h1>Consumers</h1>");
    html.append(consumers.isEmpty() ? "<p>No listener is idempotent.</p>" : "<ul>");
    for (String consumer : consumers) {
      html.append("<li><a href=\"")
          .append(HtmlUtils.htmlEscape(address(root, consumer)))
          .append("\">")
          .append(HtmlUtils.htmlEscape(consumer))
          .append("</a></li>");
    }
    html.append(consumers.isEmpty() ? "" : "</ul>").append("</main></body></html>");
    return Response.text(200, "text/html", html.toString())
        .with("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store");
  }

  private static String address(String root, String consumer) {
    return root + "/" + UriUtils.encodePathSegment(consumer, StandardCharsets.UTF_8) + "/";
  }
}
