package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.demo.scene.Tokens.InvalidTokenException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(OnStage.class)
class OrderServerTest {

  private static final Duration LIFE = Duration.ofMinutes(10);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-25T12:00:00Z"));

  private final CountDownLatch slowOrderRuns = new CountDownLatch(1);
  private final CountDownLatch slowOrderMayEnd = new CountDownLatch(1);
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private Stage stage;
  private OrderServer server;

  OrderServerTest(Servers servers) {
    this.stage = servers.stage();
  }

  @BeforeEach
  void start() throws Exception {
    try (Connection connection = stage.database().getConnection()) {
      OrderDesk.create(connection);
    }
    server = new OrderServer(
        stage,
        new OrderDesk(this::inspect),
        new Tokens(now::get, LIFE),
        Requests.once(stage, "orders-" + UUID.randomUUID()));
  }

  @AfterEach
  void stop() {
    slowOrderMayEnd.countDown();
    server.close();
  }

  private void inspect(String customer) {
    if (refused.remove(customer)) {
      throw new IllegalStateException("the inspection is not available");
    }
    if (customer.equals("slow")) {
      slowOrderRuns.countDown();
      try {
        assertThat(slowOrderMayEnd.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void the_second_call_under_a_key_gets_the_same_order() throws Exception {
    ShopClient ann = client("ann");
    HttpResponse<String> first = ann.order(OrderServer.KEY, "1", 5).join();
    HttpResponse<String> second = ann.order(OrderServer.KEY, "1", 5).join();

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(count("placed_order")).isEqualTo(1);
    assertThat(count("outbox")).isEqualTo(1);
  }

  @Test
  void a_key_belongs_to_one_customer() throws Exception {
    HttpResponse<String> ofAnn = client("ann").order(OrderServer.KEY, "1", 5).join();
    HttpResponse<String> ofBob = client("bob").order(OrderServer.KEY, "1", 5).join();

    assertThat(ofBob.body()).isNotEqualTo(ofAnn.body());
    assertThat(count("placed_order")).isEqualTo(2);
  }

  @Test
  void another_body_under_a_known_key_is_422() throws Exception {
    ShopClient ann = client("ann");
    ann.order(OrderServer.KEY, "1", 5).join();

    assertThat(ann.order(OrderServer.KEY, "1", 6).join().statusCode()).isEqualTo(422);
    assertThat(count("placed_order")).isEqualTo(1);
  }

  @Test
  void a_call_while_the_first_one_runs_is_409() throws Exception {
    ShopClient slow = client("slow");
    CompletableFuture<HttpResponse<String>> first = slow.order(OrderServer.KEY, "1", 5);
    assertThat(slowOrderRuns.await(30, TimeUnit.SECONDS)).isTrue();

    HttpResponse<String> second = slow.order(OrderServer.KEY, "1", 5).join();
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.headers().firstValueAsLong("Retry-After")).hasValue(1);

    slowOrderMayEnd.countDown();
    assertThat(first.join().statusCode()).isEqualTo(201);
    assertThat(slow.order(OrderServer.KEY, "1", 5).join().body())
        .isEqualTo(first.join().body());
    assertThat(count("placed_order")).isEqualTo(1);
  }

  @Test
  void a_failed_call_leaves_nothing_and_the_next_one_places_the_order() throws Exception {
    ShopClient ann = client("ann");
    refused.add("ann");

    assertThat(ann.order(OrderServer.KEY, "1", 5).join().statusCode()).isEqualTo(500);
    assertThat(count("outbox")).isZero();
    assertThat(ann.order(OrderServer.KEY, "1", 5).join().statusCode()).isEqualTo(201);
  }

  @Test
  void a_token_places_one_order_and_a_retry_gets_that_order() throws Exception {
    ShopClient ann = client("ann");
    String token = ann.token().body();
    HttpResponse<String> first = ann.order(OrderServer.TOKEN, token, 5).join();
    HttpResponse<String> second = ann.order(OrderServer.TOKEN, token, 5).join();

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(count("placed_order")).isEqualTo(1);
    assertThat(count("order_token")).isZero();
  }

  @Test
  void a_token_that_is_unknown_expired_or_of_another_is_403() throws Exception {
    String token = client("ann").token().body();

    assertThat(client("bob").order(OrderServer.TOKEN, token, 5).join().statusCode())
        .isEqualTo(403);
    assertThat(client("ann").order(OrderServer.TOKEN, "none", 5).join().statusCode())
        .isEqualTo(403);
    now.updateAndGet(it -> it.plus(LIFE));
    assertThat(client("ann").order(OrderServer.TOKEN, token, 5).join().statusCode())
        .isEqualTo(403);
    assertThat(count("placed_order")).isZero();
  }

  @Test
  void a_token_is_used_only_if_its_order_is_placed() throws Exception {
    ShopClient ann = client("ann");
    String token = ann.token().body();
    refused.add("ann");

    assertThat(ann.order(OrderServer.TOKEN, token, 5).join().statusCode()).isEqualTo(500);
    assertThat(ann.order(OrderServer.TOKEN, token, 5).join().statusCode()).isEqualTo(201);
  }

  @Test
  void a_request_without_a_key_or_with_a_wrong_body_is_400() {
    assertThat(client("ann").order("Other", "1", 5).join().statusCode()).isEqualTo(400);
    assertThat(client("ann").order(OrderServer.KEY, "", 5).join().statusCode()).isEqualTo(400);
  }

  private ShopClient client(String customer) {
    return new ShopClient(server, customer);
  }

  private long count(String table) throws Exception {
    try (Connection connection = stage.database().getConnection()) {
      return Sql.number(connection, "SELECT COUNT(*) FROM " + table);
    }
  }

  @Test
  void a_used_token_blocks_the_retry_of_an_order_that_was_never_placed(Servers servers)
      throws Exception {
    Stage stage = servers.stage();
    Tokens tokens = new Tokens(InstantSource.system(), Duration.ofMinutes(1));
    try (Connection connection = stage.database().getConnection()) {
      OrderDesk.create(connection);
      String token = tokens.issue(connection, "ann");

      tokens.use(connection, "ann", token); // the process dies before it places the order

      assertThatThrownBy(() -> tokens.use(connection, "ann", token))
          .isInstanceOf(InvalidTokenException.class);
      assertThat(Sql.number(connection, "SELECT COUNT(*) FROM placed_order")).isZero();
    }
  }
}
