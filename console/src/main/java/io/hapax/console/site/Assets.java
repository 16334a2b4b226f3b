package io.hapax.console.site;

import io.hapax.console.http.Response;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Serves the files that browsers load: those of the console, and those of published packages. */
final class Assets {

  private static final String PACKAGES = "/META-INF/resources/webjars/";

  /** The versions are those of the root pom; a test loads each of them. */
  static final Map<String, String> PUBLISHED = Map.of(
      "htmx.min.js", "htmx.org/2.0.10/dist/htmx.min.js",
      "uPlot.iife.min.js", "uplot/1.6.30/dist/uPlot.iife.min.js",
      "uPlot.min.css", "uplot/1.6.30/dist/uPlot.min.css",
      "pico.classless.min.css", "picocss__pico/2.1.1/css/pico.classless.min.css");

  private static final Map<String, String> TYPES = Map.of(
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "svg", "image/svg+xml",
      "png", "image/png");

  private static final Pattern NAME =
      Pattern.compile("[a-zA-Z0-9_-]+(?:\\.[a-zA-Z0-9_-]+)*\\.(\\w+)");

  Optional<Response> find(String name) throws IOException {
    var matcher = NAME.matcher(name);
    String type = matcher.matches() ? TYPES.get(matcher.group(1)) : null;
    if (type == null) {
      return Optional.empty();
    }
    String published = PUBLISHED.get(name);
    String resource = published == null ? "/io/hapax/console/assets/" + name : PACKAGES + published;
    try (InputStream bytes = Assets.class.getResourceAsStream(resource)) {
      return bytes == null
          ? Optional.empty()
          : Optional.of(Response.body(200, type, Bytes.of(bytes.readAllBytes()))
              .with("Cache-Control", "private, max-age=300"));
    }
  }
}
