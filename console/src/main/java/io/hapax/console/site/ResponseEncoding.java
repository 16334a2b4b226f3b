package io.hapax.console.site;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.mark.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/** Spares the network: compresses texts, and leaves out files that the browser has already. */
final class ResponseEncoding {

  /** Below this size a text fits into one packet anyway. */
  private static final int SMALL = 1_024;

  private ResponseEncoding() {}

  /** Returns the response as the browser understands it. Streams and images stay as they are. */
  static Response to(Request request, Response response) {
    String type = response.header("Content-Type").orElse("");
    boolean text = type.startsWith("text/") || type.startsWith("application/json");
    if (!text || response.events().isPresent()) {
      return response;
    }
    Response varied = response.with("Vary", "Accept-Encoding");
    if (response.status() == 200
        && !response.header("Cache-Control").orElse("").equals("no-store")) {
      String tag = tag(response.body());
      varied = varied.with("ETag", tag);
      if (values(request, "if-none-match").anyMatch(tag::equals)) {
        return new Response(304, varied.headers(), Bytes.EMPTY, response.events());
      }
    }
    return response.body().length() < SMALL || !mayCompress(request)
        ? varied
        : new Response(
                response.status(), varied.headers(), zipped(response.body()), response.events())
            .with("Content-Encoding", "gzip");
  }

  /** The size of a compressed page must not reveal its secrets to another site that requests it. */
  private static boolean mayCompress(Request request) {
    String site = request.header("sec-fetch-site").orElse("none");
    return (site.equals("none") || site.equals("same-origin"))
        && values(request, "accept-encoding")
            .map(it -> it.toLowerCase(Locale.ROOT).replace(" ", ""))
            .anyMatch(it -> it.startsWith("gzip") && !it.matches("gzip;q=0(\\.0*)?"));
  }

  private static Stream<String> values(Request request, String header) {
    return Arrays.stream(request.header(header).orElse("").split(",", -1)).map(String::strip);
  }

  private static String tag(Bytes body) {
    CRC32C sum = new CRC32C();
    sum.update(body.toByteArray());
    return "W/\"" + body.length() + "-" + Long.toHexString(sum.getValue()) + "\"";
  }

  private static Bytes zipped(Bytes body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 2);
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(body.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.of(bytes.toByteArray());
  }
}
