package io.hapax.demo.scene;

import io.hapax.demo.scene.EventTopic.Subscription;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Each customer clicks twice. The first relay of the outbox dies after the broker has taken its
 * events, so the second one publishes them again. Each customer gets one parcel.
 */
final class CheckoutScene implements Scene {

  private static final int CUSTOMERS = 6;
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(10);

  @Override
  public String title() {
    return "order submitted twice";
  }

  @Override
  public SceneResult play(Stage stage, Variant variant) throws Exception {
    try (Connection connection = stage.database().getConnection()) {
      OrderDesk.create(connection);
      Sql.createAfresh(connection, "parcel", "order_id CHAR(36) NOT NULL");
    }
    List<String> customers =
        IntStream.range(0, CUSTOMERS).mapToObj("customer-%d"::formatted).toList();
    Settled settled = new Settled();
    try (EventTopic<?> topic = stage.topic("checkout", 3);
        Subscription reading =
            stage.start(topic, variant, settled, CheckoutScene::pack, CheckoutScene::pack)) {
      clickTwice(stage, topic.name() + "-requests", variant, customers);
      dieAfterSending(stage, topic);
      settled.await(2 * Outbox.relay(stage, topic, () -> {}));
    }
    return SceneResult.count(customers, stage.transact(CheckoutScene::parcels));
  }

  private static void clickTwice(Stage stage, String name, Variant variant, List<String> customers)
      throws IOException {
    try (OrderServer server = new OrderServer(
        stage,
        new OrderDesk(customer -> {}),
        new Tokens(InstantSource.system(), TOKEN_LIFE),
        variant == Variant.HAPAX ? Requests.once(stage, name) : Requests.each(stage))) {
      for (String customer : customers) {
        ShopClient client = new ShopClient(server, customer);
        CompletableFuture<HttpResponse<String>> first = client.order(OrderServer.KEY, "click", 1);
        CompletableFuture<HttpResponse<String>> second = client.order(OrderServer.KEY, "click", 1);
        first.join();
        second.join();
      }
    }
  }

  /** The relay dies in its process; here an exception ends it at the same place. */
  private static void dieAfterSending(Stage stage, EventTopic<?> topic)
      throws IOException, SQLException, InterruptedException {
    try {
      Outbox.relay(stage, topic, () -> {
        throw new RelayDiedException();
      });
    } catch (RelayDiedException expected) {
      // the broker has the events, and the outbox does not know that
    }
  }

  private static String pack(Connection transaction, OrderEvent event) throws SQLException {
    Sql.update(transaction, "INSERT INTO parcel VALUES (?)", event.orderId());
    return "";
  }

  private static List<String> parcels(Connection connection) throws SQLException {
    return Sql.rows(
        connection,
        "SELECT customer FROM placed_order INNER JOIN parcel"
            + " ON parcel.order_id = placed_order.order_id");
  }

  private static final class RelayDiedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
