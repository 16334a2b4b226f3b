package io.hapax.demo.scene;

import io.hapax.demo.scene.EventTopic.Subscription;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Orders ask for more pieces than there are. Then the shop gets new pieces, and each order is sent
 * again. Each order is decided once; the duplicate of an order that got nothing receives that
 * answer, although there are pieces now.
 */
final class StockScene implements Scene {

  private static final int ORDERS = 12;
  private static final int QUANTITY = 3;
  private static final int AT_FIRST = 10 * QUANTITY;
  private static final int RESTOCKED = 100;

  @Override
  public String title() {
    return "stock";
  }

  @Override
  public SceneResult play(Stage stage, Variant variant) throws Exception {
    List<OrderEvent> orders = IntStream.range(0, ORDERS)
        .mapToObj(number -> OrderEvent.of("order-%02d".formatted(number), "PLACED", QUANTITY))
        .toList();
    try (Connection connection = stage.database().getConnection()) {
      Stock.create(connection, AT_FIRST);
    }
    Settled settled = new Settled();
    Map<String, String> replies = new ConcurrentHashMap<>();
    try (EventTopic<?> topic = stage.topic("stock", 3);
        Subscription reading = start(stage, topic, variant, settled, replies)) {
      topic.send(orders);
      settled.await(ORDERS);
      stage.transact(shop -> Stock.restock(shop, RESTOCKED));
      topic.send(orders);
      settled.await(2 * ORDERS);
    }
    return stage
        .transact(shop -> Stock.result(shop, orders, AT_FIRST + RESTOCKED, replies))
        .with(unanswered(variant, orders, replies));
  }

  /** Without Hapax a duplicate is decided again, and there is no stored answer. */
  private static List<String> unanswered(
      Variant variant, List<OrderEvent> orders, Map<String, String> replies) {
    return orders.stream()
        .map(OrderEvent::orderId)
        .filter(order -> variant == Variant.HAPAX && !replies.containsKey(order))
        .map(order -> "the duplicate of " + order + " got no answer")
        .toList();
  }

  private static <M> Subscription start(
      Stage stage,
      EventTopic<M> topic,
      Variant variant,
      Settled settled,
      Map<String, String> replies)
      throws IOException {
    if (variant == Variant.NAIVE) {
      return topic.readNaively(
          order -> stage.transact(transaction -> Stock.decide(transaction, order)),
          settled,
          Member.ALONE);
    }
    return topic.read(
        stage.receiver(
            topic,
            topic
                .receiver()
                .listener(settled)
                .onDuplicate(
                    (message, result) -> replies.put(topic.event(message).orderId(), text(result))),
            Stock::decide),
        Member.ALONE);
  }

  private static String text(Bytes result) {
    return new String(result.toByteArray(), StandardCharsets.UTF_8);
  }
}
