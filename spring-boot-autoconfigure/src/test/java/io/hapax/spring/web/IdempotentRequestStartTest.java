package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.IdempotentRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Applications with other settings, users or handlers, and one that is started again. */
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
    try (RunningShop shop = RunningShop.start(ShopApplication.class, "shop.at-most-once=true")) {
      shop.send(shop.post("/status?list=502,200", key, body));
      HttpResponse<String> second = shop.send(shop.post("/status?list=502,200", key, body));

      assertThat(second.statusCode()).isEqualTo(500);
      assertThat(second.body()).contains("may have taken effect. It is not repeated");
      assertThat(ShopController.runs(body)).isEqualTo(1);
    }
  }

  @Test
  void a_body_that_was_read_as_parts_is_not_handed_out_as_an_empty_one() throws Exception {
    try (RunningShop shop =
        RunningShop.start(ShopApplication.class, "spring.servlet.multipart.resolve-lazily=true")) {
      String part = "--b\r\nContent-Type: text/plain\r\n\r\n" + key + "\r\n--b--\r\n";
      HttpResponse<String> answer = shop.send(
          shop.post("/raw", key, part).setHeader("Content-Type", "multipart/mixed; boundary=b"));

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(ShopController.runs("")).isZero();
    }
  }

  @Test
  void an_inherited_handler_of_a_lazy_controller_takes_effect_once() throws Exception {
    try (RunningShop shop = RunningShop.start(InheritingShop.class)) {
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
    assertThatThrownBy(() -> RunningShop.start(application, property))
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

  @Test
  void a_stored_answer_passes_the_interceptors_of_its_handler() throws Exception {
    try (RunningShop shop = RunningShop.start(GuardedShop.class)) {
      HttpRequest.Builder request = shop.post("/shops/a/orders", key, body);
      HttpResponse<String> refused = shop.send(request);
      request.header("Authorization", "ann");
      HttpResponse<String> first = shop.send(request);
      Guard.COMPLETED.clear();
      HttpResponse<String> second = shop.send(request);
      HttpResponse<String> stolen = shop.send(shop.post("/shops/a/orders", key, body));
      HttpResponse<String> conflict = shop.send(shop.post("/shops/a/orders", key, "other"));
      HttpResponse<String> failed =
          shop.send(shop.post("/shops/a/orders", key, body).header("Authorization", "unreadable"));

      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(Guard.COMPLETED).containsExactly("inner", "outer", "outer", "outer", "outer");
      assertThat(stolen.statusCode()).isEqualTo(401);
      assertThat(stolen.body()).isEqualTo("who?");
      assertThat(stolen.headers().firstValue("Idempotency-Replayed")).isEmpty();
      assertThat(conflict.statusCode()).isEqualTo(401);
      assertThat(failed.statusCode()).isEqualTo(418);
      assertThat(ShopController.runs(body)).isEqualTo(1);
    }
  }

  @Test
  void a_key_without_a_user_and_without_a_scope_gets_403() throws Exception {
    try (RunningShop shop = RunningShop.start(OpenShop.class)) {
      HttpResponse<String> answer = shop.send(shop.post("/shops/a/orders", key, body));

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("declare a bean of type RequestScope");
      assertThat(ShopController.runs(body)).isZero();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ShopController.class)
  static class OpenShop {}

  @Configuration(proxyBeanMethods = false)
  @Import(OpenShop.class)
  static class GuardedShop implements WebMvcConfigurer {

    @Bean
    RequestScope scope() {
      return RequestScope.shared();
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(new Guard("outer", false)).addPathPatterns("/shops/**");
      registry.addInterceptor(new Guard("inner", true)).addPathPatterns("/shops/**");
    }
  }

  /** Refuses requests without a token, as a home-made authentication does. */
  private record Guard(String name, boolean checks) implements HandlerInterceptor {

    static final Queue<String> COMPLETED = new ConcurrentLinkedQueue<>();

    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) throws Exception {
      String token = request.getHeader("Authorization");
      if (!checks || "ann".equals(token)) {
        return true;
      }
      if (token != null) {
        throw new ResponseStatusException(HttpStatus.I_AM_A_TEAPOT);
      }
      response.setStatus(401);
      response.getWriter().write("who?");
      return false;
    }

    @Override
    public void afterCompletion(
        HttpServletRequest request,
        HttpServletResponse response,
        Object handler,
        @Nullable Exception failure) {
      COMPLETED.add(name);
    }
  }
}
