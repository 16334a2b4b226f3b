package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.IdempotentRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A store that goes away, restarts of the application, and handlers that are refused. */
class IdempotentRequestFaultTest {

  private final String key = UUID.randomUUID().toString();
  private final String body = "body " + key;

  @Test
  void a_restarted_application_gives_the_stored_answer(@TempDir Path folder) throws Exception {
    String url = "spring.datasource.url=jdbc:h2:" + folder.resolve("marks");
    HttpResponse<String> first;
    try (RunningShop shop = RunningShop.start(ShopApplication.class, url)) {
      first = shop.send(shop.post("/shops/a/orders", key, body));
    }
    try (RunningShop shop = RunningShop.start(ShopApplication.class, url)) {
      HttpResponse<String> second = shop.send(shop.post("/shops/a/orders", key, body));

      assertThat(second.statusCode()).isEqualTo(201);
      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(ShopController.runs(body)).isEqualTo(1);
    }
  }

  @Test
  void nothing_runs_while_the_store_is_down(@TempDir Path folder) throws Exception {
    Server database = server(folder, "0");
    String url = "jdbc:h2:tcp://localhost:" + database.getPort() + "/marks";
    try (RunningShop shop =
        RunningShop.start(ShopApplication.class, "spring.datasource.url=" + url)) {
      database.stop();
      HttpResponse<String> down = shop.send(shop.post("/shops/a/orders", key, body));

      assertThat(down.statusCode()).isEqualTo(503);
      assertThat(down.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(down.headers().firstValue("X-Outer")).hasValue("of a filter");
      assertThat(down.body()).contains("had no effect");
      assertThat(ShopController.runs(body)).isZero();

      database = server(folder, Integer.toString(database.getPort()));
      assertThat(shop.send(shop.post("/shops/a/orders", key, body)).statusCode()).isEqualTo(201);
      assertThat(ShopController.runs(body)).isEqualTo(1);
    } finally {
      database.stop();
    }
  }

  @Test
  void an_answer_is_held_back_until_the_store_has_it(@TempDir Path folder) throws Exception {
    Server database = server(folder, "0");
    String url = "jdbc:h2:tcp://localhost:" + database.getPort() + "/marks";
    ShopController.entered = new CountDownLatch(1);
    ShopController.leave = new CountDownLatch(1);
    try (RunningShop shop =
        RunningShop.start(ShopApplication.class, "spring.datasource.url=" + url)) {
      CompletableFuture<HttpResponse<String>> first =
          shop.sendAsync(shop.post("/slow", key, body));
      ShopController.entered.await();
      database.stop();
      ShopController.leave.countDown();

      assertThat(first.get().statusCode()).isEqualTo(503);
      assertThat(first.get().body()).contains("may have taken effect");
      assertThat(ShopController.runs(body)).isEqualTo(1);

      database = server(folder, Integer.toString(database.getPort()));
      HttpResponse<String> later = await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> shop.send(shop.post("/slow", key, body)), answer -> answer.statusCode() == 200);
      assertThat(later.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(ShopController.runs(body)).isEqualTo(1);
    } finally {
      database.stop();
    }
  }

  @Test
  void an_asynchronous_handler_keeps_the_application_from_starting() {
    assertThatThrownBy(() -> RunningShop.start(
            AsynchronousShop.class, "spring.datasource.url=jdbc:h2:mem:asynchronous"))
        .hasStackTraceContaining("AsynchronousShop#later has @IdempotentRequest and returns")
        .hasStackTraceContaining("must not be asynchronous and must not stream");
  }

  @Test
  void a_handler_without_a_store_keeps_the_application_from_starting() {
    assertThatThrownBy(() -> RunningShop.start(
            PlainShop.class,
            RunningShop.WITHOUT_JPA
                + ",io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration"))
        .hasStackTraceContaining("@IdempotentRequest and IdempotentExecutor need one store");
  }

  @Test
  void a_handler_without_a_name_keeps_the_application_from_starting() {
    assertThatThrownBy(() -> RunningShop.start(
            PlainShop.class,
            "spring.datasource.url=jdbc:h2:mem:nameless",
            "spring.application.name="))
        .hasStackTraceContaining("Neither hapax.executor.name nor spring.application.name is set");
  }

  private static Server server(Path folder, String port) throws Exception {
    return Server.createTcpServer(
            "-tcpPort", port, "-ifNotExists", "-baseDir", folder.toString())
        .start();
  }

  @Configuration(proxyBeanMethods = false)
  @Import(ShopApplication.class)
  @RestController
  static class AsynchronousShop {

    @PostMapping("/later")
    @IdempotentRequest
    ResponseEntity<Callable<String>> later() {
      return ResponseEntity.ok(() -> "later");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class PlainShop {

    @RestController
    static class Plain {

      @PostMapping("/plain")
      @IdempotentRequest
      String plain() {
        return "plain";
      }
    }
  }
}
