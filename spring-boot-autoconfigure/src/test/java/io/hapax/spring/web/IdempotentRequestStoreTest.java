package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalPostgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests while the store dies and comes back. */
class IdempotentRequestStoreTest {

  private static LocalPostgres postgres;
  private static RunningShop shop;

  private final String key = UUID.randomUUID().toString();
  private final String body = "body " + key;

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.start();
    shop = RunningShop.start(
        ShopApplication.class,
        "spring.datasource.url=" + postgres.jdbcUrl(),
        "spring.datasource.username=" + postgres.username(),
        "spring.datasource.password=" + postgres.password());
  }

  @AfterAll
  static void stop() {
    shop.close();
    postgres.close();
  }

  @Test
  void nothing_runs_while_the_store_is_down() throws Exception {
    postgres.kill();
    HttpResponse<String> down = shop.send(shop.post("/shops/a/orders", key, body));

    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(down.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(down.headers().firstValue("X-Outer")).hasValue("of a filter");
    assertThat(down.body()).contains("had no effect");
    assertThat(ShopController.runs(body)).isZero();

    postgres.restart();
    assertThat(untilStatus(201, "/shops/a/orders").headers().firstValue("Idempotency-Replayed"))
        .isEmpty();
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @Test
  void an_answer_is_held_back_until_the_store_has_it() throws Exception {
    ShopController.entered = new CountDownLatch(1);
    ShopController.leave = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> first = shop.sendAsync(shop.post("/slow", key, body));
    ShopController.entered.await();
    postgres.kill();
    ShopController.leave.countDown();

    assertThat(first.get().statusCode()).isEqualTo(503);
    assertThat(first.get().body()).contains("may have taken effect");
    assertThat(ShopController.runs(body)).isEqualTo(1);

    postgres.restart();
    HttpResponse<String> later = untilStatus(200, "/slow");
    assertThat(later.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(later.body()).startsWith("run ");
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  private HttpResponse<String> untilStatus(int status, String path) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> shop.send(shop.post(path, key, body)), answer -> answer.statusCode() == status);
  }
}
