package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.Loopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthTest {

  private final List<String> problems = new ArrayList<>();
  private int port;
  private LoopbackServer health;

  @BeforeEach
  void start() throws IOException {
    port = Loopback.freePort();
    health = Health.start(port, () -> List.copyOf(problems), () -> "orders 1.0\n");
  }

  @AfterEach
  void close() {
    health.close();
  }

  @Test
  void a_service_without_problems_is_up() throws Exception {
    assertThat(Health.ask(port)).isEqualTo(new Health.Answer(true, "UP"));
  }

  @Test
  void its_meters_are_for_prometheus() throws Exception {
    URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
    HttpResponse<String> response = HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());

    assertThat(response.body()).isEqualTo("orders 1.0\n");
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void a_connection_that_sends_no_more_blocks_nothing() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
      slow.getOutputStream().write("GET / HT".getBytes(StandardCharsets.UTF_8));

      assertThat(Health.ask(port).up()).isTrue();
    }
  }

  @Test
  void every_problem_is_reported_until_it_ends() throws Exception {
    problems.addAll(List.of("orders-0 waits", "the store is away"));
    assertThat(Health.ask(port))
        .isEqualTo(new Health.Answer(false, "orders-0 waits\nthe store is away"));

    problems.clear();
    assertThat(Health.ask(port).up()).isTrue();
  }
}
