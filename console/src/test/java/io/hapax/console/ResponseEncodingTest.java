package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.http.Response;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How responses reach the browser: compressed, or not at all if it has them. */
class ResponseEncodingTest extends ConsoleFixture {

  @ParameterizedTest
  @ValueSource(strings = {"/", "/consumers", "/assets/console.js", "/assets/console.css"})
  void a_text_is_compressed_for_those_who_accept_it(String address) throws Exception {
    Response plain = visitor.get(address);
    Response zipped = visitor.with("accept-encoding", "deflate, gzip").get(address);

    assertThat(plain.header("Content-Encoding")).isEmpty();
    assertThat(plain.header("Vary")).contains("Accept-Encoding");
    assertThat(zipped.header("Content-Encoding")).contains("gzip");
    assertThat(zipped.header("Vary")).contains("Accept-Encoding");
    assertThat(zipped.body().length()).isLessThan(plain.body().length() / 2);
    byte[] whole =
        new GZIPInputStream(new ByteArrayInputStream(zipped.body().toByteArray())).readAllBytes();
    assertThat(new String(whole, StandardCharsets.UTF_8))
        .endsWith(Visitor.text(plain).substring(Visitor.text(plain).length() - 10));
  }

  @ParameterizedTest
  @CsvSource({
    "/now/events?once, same-origin, gzip",
    "/json/generation, same-origin, gzip",
    "/consumers, same-origin, 'gzip;q=0, br'",
    "/consumers, cross-site, gzip"
  })
  void a_stream_and_a_short_text_are_not_compressed_and_nothing_for_another_site(
      String address, String from, String accepted) {
    Response response =
        visitor.with("accept-encoding", accepted).with("sec-fetch-site", from).get(address);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Content-Encoding")).isEmpty();
  }

  @Test
  void a_file_that_the_browser_has_is_not_sent_again() {
    String tag = visitor.get("/assets/console.js").header("ETag").orElseThrow();
    Response again = visitor.with("if-none-match", "\"other\", " + tag).get("/assets/console.js");

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body().length()).isZero();
    assertThat(again.header("ETag")).contains(tag);
    assertThat(visitor.get("/assets/console.css").status()).isEqualTo(200);
    assertThat(visitor.get("/consumers").header("ETag"))
        .as("a page has the time")
        .isEmpty();
  }
}
