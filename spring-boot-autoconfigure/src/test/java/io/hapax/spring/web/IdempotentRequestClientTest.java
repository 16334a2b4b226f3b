package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Clients without a user: interceptors may refuse them, and they need a scope. */
class IdempotentRequestClientTest {

  private final String key = UUID.randomUUID().toString();
  private final String body = "body " + key;

  @Test
  void a_stored_answer_passes_the_interceptors_of_its_handler() throws Exception {
    try (RunningShop shop =
        RunningShop.start(GuardedShop.class, "spring.datasource.url=jdbc:h2:mem:guarded")) {
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
    try (RunningShop shop =
        RunningShop.start(OpenShop.class, "spring.datasource.url=jdbc:h2:mem:open")) {
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
