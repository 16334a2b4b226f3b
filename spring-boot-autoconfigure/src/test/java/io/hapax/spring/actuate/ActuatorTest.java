package io.hapax.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.IdempotentExecutor;
import io.hapax.IdempotentReceiver;
import io.hapax.spring.HapaxProperties;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.LeftOut;
import io.hapax.spring.Text;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

class ActuatorTest {

  private static final String LEFT_OUT =
      "--spring.autoconfigure.exclude=" + LeftOut.DATABASE + "," + LeftOut.SECURITY;

  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

  @AfterEach
  void close() {
    hanging.countDown();
    applications.forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void a_problem_makes_the_application_not_ready_but_leaves_it_alive() throws Exception {
    start();
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);

    IdempotentReceiver<Text> receiver = hangingReceiver();
    submit(receiver, "order-1");
    await().until(() -> !receiver.problems().isEmpty());

    assertThat(get("/health/readiness").statusCode()).isEqualTo(503);
    assertThat(new ObjectMapper()
            .readTree(get("/health").body())
            .at("/components/hapax/status")
            .asText())
        .isEqualTo("OUT_OF_SERVICE");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);

    hanging.countDown();
    await()
        .untilAsserted(() -> assertThat(get("/health/readiness").statusCode()).isEqualTo(200));
  }

  @Test
  void readiness_can_be_left_alone() throws Exception {
    start("--hapax.management.readiness=false");

    IdempotentReceiver<Text> receiver = hangingReceiver();
    submit(receiver, "order-1");
    await().until(() -> !receiver.problems().isEmpty());

    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
    assertThat(get("/health").body()).contains("HANDLER_TIMEOUT");
  }

  @Test
  void the_endpoint_answers_http_requests() throws Exception {
    start("--spring.application.name=shop");
    var unused = applications.get(0).getBean(IdempotentExecutor.class);
    IdempotentReceiver<Text> receiver =
        Text.open(receivers(), Text.settings("billing", Consumer.DEFAULT), delivery -> {});
    submit(receiver, "1?x=y");
    String id = URLEncoder.encode("orders/1?x=y", StandardCharsets.UTF_8);
    await()
        .untilAsserted(
            () -> assertThat(get("/hapax/billing?id=" + id).body()).contains("\"DONE\""));

    JsonNode overview = json(get("/hapax"));
    assertThat(overview.at("/consumers/billing/0/listener").asText()).isEqualTo("Billing.on");
    assertThat(overview.at("/executors/shop-jobs").isArray()).isTrue();
    assertThat(json(get("/hapax/billing?limit=5")).at("/limit").asInt()).isEqualTo(5);
    assertThat(get("/hapax/billing?id=unknown").statusCode()).isEqualTo(404);
    assertThat(get("/hapax/shipping").statusCode()).isEqualTo(404);
  }

  private void start(String... arguments) {
    SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class)
        .properties(
            "server.port=0",
            "management.endpoints.web.exposure.include=health,hapax",
            "management.endpoint.health.probes.enabled=true",
            "management.health.redis.enabled=false",
            "management.endpoint.health.show-details=always",
            "management.endpoint.health.show-components=always",
            "management.endpoints.jmx.exposure.exclude=*",
            "hapax.consumers.billing.handler-timeout=50ms",
            "hapax.consumers.billing.drain-timeout=0s");
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = LEFT_OUT;
    applications.add(builder.run(all));
  }

  private Receivers receivers() {
    return applications.get(0).getBean(Receivers.class);
  }

  private IdempotentReceiver<Text> hangingReceiver() {
    HapaxProperties properties = applications.get(0).getBean(HapaxProperties.class);
    Consumer tuning = Objects.requireNonNull(properties.consumers().get("billing"));
    return Text.open(receivers(), Text.settings("billing", tuning), delivery -> {
      boolean done = false;
      while (!done) {
        try {
          hanging.await();
          done = true;
        } catch (InterruptedException e) {
          // a handler that does not listen to its interrupt is what this test needs
        }
      }
    });
  }

  private static void submit(IdempotentReceiver<Text> receiver, String id) {
    var unused = receiver.submit(List.of(Text.message(id)), (index, outcome) -> {});
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    String port = applications.get(0).getEnvironment().getProperty("local.server.port");
    return URI.create("http://localhost:" + port + "/actuator" + path);
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(InMemoryDedupStore.class)
  static class Application {}
}
