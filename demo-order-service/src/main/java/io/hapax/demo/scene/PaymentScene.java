package io.hapax.demo.scene;

import io.hapax.LeaseSettings;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.ProbeSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.demo.scene.EventTopic.Subscription;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Orders are charged by a gateway that is not part of any transaction. It times out after charging
 * in some calls, and the producer sends each order twice. The lease prevents two charges at the
 * same time. After a time-out it is unknown whether the customer was charged: the idempotency key
 * or the gateway's query decides.
 *
 * @param keys whether the gateway honours idempotency keys; otherwise it can be queried
 */
public record PaymentScene(boolean keys) implements Scene {

  private static final int CENTS = 1_999;
  private static final Duration BACKOFF = Duration.ofMillis(300);

  /** Longer than a request to the gateway can take to its charge. */
  private static final ProbeSettings PROBE =
      new ProbeSettings(Duration.ofSeconds(2), Duration.ofSeconds(5));

  @Override
  public String title() {
    return "payment, with " + (keys ? "a key" : "a query");
  }

  @Override
  public SceneResult play(Stage stage, Variant variant) throws Exception {
    List<OrderEvent> orders = Stream.concat(
            IntStream.range(0, 4).mapToObj("order-%d"::formatted),
            IntStream.range(0, 2).mapToObj(number -> Gateway.SLOW + "-order-" + number))
        .map(PaymentScene::placed)
        .toList();
    try (Gateway gateway = new Gateway(keys, Duration.ZERO)) {
      Settled settled = new Settled();
      try (EventTopic<?> topic = stage.topic("payment", 3);
          Subscription reading = start(stage, topic, variant, settled, gateway.client())) {
        topic.send(orders);
        topic.send(orders);
        settled.await(2 * orders.size());
      }
      return SceneResult.count(
          orders.stream().map(OrderEvent::orderId).toList(),
          gateway.charges().stream().map(Charge::orderId).toList());
    }
  }

  public static OrderEvent placed(String order) {
    return OrderEvent.of(order, "PLACED", CENTS);
  }

  /** Starts a consumer that has each order charged by a gateway. */
  public <M> Subscription start(
      Stage stage, EventTopic<M> topic, Variant variant, Settled settled, GatewayClient gateway)
      throws IOException {
    if (variant == Variant.NAIVE) {
      return topic.readNaively(
          order -> gateway.charge(order.orderId(), order.amount()), settled, Member.ALONE);
    }
    ReceiverBuilder<M> builder = topic
        .receiver()
        .listener(settled)
        .lease(LeaseSettings.of(Duration.ofSeconds(10)))
        .retry(new RetrySettings(16, BACKOFF, BACKOFF));
    if (!keys) {
      builder.onUnknownOutcome(UnknownOutcomePolicy.probe(
          delivery -> ask(gateway, topic.event(delivery.message())), PROBE));
    }
    return topic.read(
        builder.answering(stage.marks(), delivery -> {
          OrderEvent order = topic.event(delivery.message());
          String key = delivery.idempotencyKey();
          return receipt(gateway.charge(order.orderId(), order.amount(), key));
        }),
        Member.ALONE);
  }

  private static Answer ask(GatewayClient gateway, OrderEvent order) throws Exception {
    return gateway.find(order.orderId()).stream()
        .findFirst()
        .map(charge -> Answer.applied(receipt(charge)))
        .orElse(Answer.NOT_APPLIED);
  }

  private static Bytes receipt(Charge charge) {
    return Bytes.utf8(charge.receipt());
  }
}
