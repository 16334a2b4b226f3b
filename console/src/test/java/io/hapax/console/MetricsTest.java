package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.http.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures for Prometheus. */
class MetricsTest extends ConsoleFixture {

  private static final String BEARER = "Bearer " + Visitor.TOKEN;

  private Response scraped(String authorization) {
    return new Visitor(console).with("authorization", authorization).get("/metrics");
  }

  @Test
  void figures_of_the_store_have_the_names_of_the_meters() {
    var unused = Marks.claimed(store, "running", Duration.ofMinutes(1));
    Marks.dead(store, "broken", "no such account");

    Response response = scraped(BEARER);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Content-Type")).get().asString().startsWith("text/plain; version=");
    assertThat(Visitor.text(response))
        .contains(
            "hapax_marks_stale_marks{consumer=\"billing\"} 0.0",
            "hapax_marks_in_doubt_marks{consumer=\"billing\"} 0.0",
            "hapax_marks_leased_marks{consumer=\"billing\"} 1.0",
            "hapax_marks_dead_marks{consumer=\"billing\"} 1.0",
            "hapax_store_reachable_ratio{consumer=\"billing\"} 1.0",
            "hapax_console_problems{consumer=\"billing\",kind=\"store\"} 0.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer wrong", "Basic " + Visitor.TOKEN, Visitor.TOKEN})
  void a_request_without_the_token_is_refused(String authorization) {
    Response response = scraped(authorization);
    assertThat(response.status()).isEqualTo(401);
    assertThat(response.header("WWW-Authenticate")).hasValue("Bearer");
    assertThat(Visitor.text(response)).doesNotContain("hapax_");
  }

  @Test
  void a_session_of_a_browser_is_no_token() {
    assertThat(visitor.get("/metrics").status()).isEqualTo(401);
  }

  @Test
  void the_token_opens_no_other_page_and_permits_no_foreign_host() {
    Visitor program = new Visitor(console).with("authorization", BEARER);
    assertThat(program.get("/json/stale").status()).isEqualTo(401);
    assertThat(program.ask("POST", "/metrics", Map.of("a", List.of("b"))).status())
        .isEqualTo(405);
    assertThat(program.with("host", "evil.example").get("/metrics").status()).isEqualTo(403);
  }
}
