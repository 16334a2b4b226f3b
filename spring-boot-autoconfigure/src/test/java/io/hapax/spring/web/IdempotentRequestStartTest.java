package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.IdempotentRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts of the application: after a stop, and with handlers that are refused. */
class IdempotentRequestStartTest {

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
  void a_request_in_doubt_gets_500_if_it_must_not_be_repeated() throws Exception {
    try (RunningShop shop = RunningShop.start(
        ShopApplication.class,
        "spring.datasource.url=jdbc:h2:mem:doubt;DB_CLOSE_DELAY=-1",
        "shop.at-most-once=true")) {
      shop.send(shop.post("/status?list=502,200", key, body));
      HttpResponse<String> second = shop.send(shop.post("/status?list=502,200", key, body));

      assertThat(second.statusCode()).isEqualTo(500);
      assertThat(second.body()).contains("may have taken effect. It is not repeated");
      assertThat(ShopController.runs(body)).isEqualTo(1);
    }
  }

  @Test
  void a_body_that_was_read_as_parts_is_not_handed_out_as_an_empty_one() throws Exception {
    try (RunningShop shop = RunningShop.start(
        ShopApplication.class,
        "spring.datasource.url=jdbc:h2:mem:parts",
        "spring.servlet.multipart.resolve-lazily=true")) {
      String part = "--b\r\nContent-Type: text/plain\r\n\r\n" + key + "\r\n--b--\r\n";
      HttpResponse<String> answer = shop.send(
          shop.post("/raw", key, part).setHeader("Content-Type", "multipart/mixed; boundary=b"));

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(ShopController.runs("")).isZero();
    }
  }

  @Test
  void an_inherited_handler_of_a_lazy_controller_takes_effect_once() throws Exception {
    try (RunningShop shop = RunningShop.start(
        InheritingShop.class, "spring.datasource.url=jdbc:h2:mem:inherited;DB_CLOSE_DELAY=-1")) {
      HttpResponse<String> first = shop.send(shop.post("/inherited", key, body));
      HttpResponse<String> second = shop.send(shop.post("/inherited", key, body));

      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    }
  }

  static Stream<Arguments> refused() {
    String asynchronous = "AsynchronousShop#later has @IdempotentRequest and returns "
        + "org.springframework.http.ResponseEntity<java.util.concurrent.Callable<java.lang.String>>,"
        + " but must not be asynchronous and must not stream";
    String elsewhere = "ElsewhereShop#elsewhere has @IdempotentRequest and @Async";
    return Stream.of(
        arguments(AsynchronousShop.class, "", asynchronous),
        arguments(ElsewhereShop.class, "", elsewhere),
        arguments(
            PlainShop.class,
            RunningShop.WITHOUT_JPA + ",io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration",
            "@IdempotentRequest and IdempotentExecutor need one store"),
        arguments(
            PlainShop.class,
            "spring.application.name=",
            "Neither hapax.executor.name nor spring.application.name is set"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_handler_that_cannot_be_idempotent_keeps_the_application_from_starting(
      Class<?> application, String property, String message) {
    assertThatThrownBy(() ->
            RunningShop.start(application, "spring.datasource.url=jdbc:h2:mem:refused", property))
        .hasStackTraceContaining(message);
  }

  static class BaseShop {

    private final AtomicInteger runs = new AtomicInteger();

    @PostMapping("/inherited")
    String inherited() {
      return "run " + runs.incrementAndGet();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({ShopApplication.class, InheritingShop.Lazily.class})
  static class InheritingShop {

    @Lazy
    @RestController
    @IdempotentRequest
    static class Lazily extends BaseShop {}
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
  @Import(ShopApplication.class)
  @RestController
  static class ElsewhereShop {

    @Async
    @PostMapping("/elsewhere")
    @IdempotentRequest
    void elsewhere() {}
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
