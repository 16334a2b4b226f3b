package io.hapax.chaos;

import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialOrder;
import io.hapax.demo.scene.Charge;
import io.hapax.demo.scene.EventTopic;
import io.hapax.demo.scene.Gateway;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.PaymentScene;
import io.hapax.demo.scene.Settled;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The payments of the live demo. The same orders go to a consumer with Hapax and to a plain loop,
 * each with a gateway of its own. The gateways start with the first orders.
 */
final class Payments implements AutoCloseable {

  private static final int PARTITIONS = 3;

  private final Stage stage;
  private final List<String> placed = new ArrayList<>();
  private final Map<TrialLane, Cashier> cashiers = new EnumMap<>(TrialLane.class);
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private boolean closed;

  private record Cashier(Gateway gateway, EventTopic<?> topic, Settled settled) {

    private Map<String, Long> charges() {
      return gateway.charges().stream()
          .map(Charge::orderId)
          .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
  }

  Payments(Stage stage) {
    this.stage = stage;
  }

  /**
   * Places orders for which the gateway charges, but answers later than its client waits. Returns
   * their ids.
   */
  synchronized List<String> timeOut(int count) throws IOException, InterruptedException {
    if (closed) {
      throw new IllegalStateException("the demo ends");
    }
    for (TrialLane lane : TrialLane.values()) {
      if (!cashiers.containsKey(lane)) {
        cashiers.put(lane, open(lane == TrialLane.HAPAX ? Variant.HAPAX : Variant.NAIVE));
      }
    }
    List<String> orders = IntStream.range(placed.size(), placed.size() + count)
        .mapToObj(number -> Gateway.SLOW + "-order-" + number)
        .toList();
    placed.addAll(orders);
    List<OrderEvent> events = orders.stream().map(PaymentScene::placed).toList();
    for (Cashier cashier : cashiers.values()) {
      cashier.topic.send(events);
    }
    return orders;
  }

  private Cashier open(Variant variant) throws IOException, InterruptedException {
    PaymentScene scene = new PaymentScene(true);
    Gateway gateway = add(new Gateway(scene.keys(), Duration.ZERO));
    EventTopic<?> topic = add(stage.topic("payment", PARTITIONS));
    Settled settled = new Settled();
    add(scene.start(stage, topic, variant, settled, gateway.client()));
    return new Cashier(gateway, topic, settled);
  }

  private <P extends AutoCloseable> P add(P part) {
    parts.push(part);
    return part;
  }

  /** Reads what is acknowledged, and then the ledgers of the gateways. */
  synchronized Map<TrialLane, LaneReading> read() {
    long begin = System.nanoTime();
    Map<TrialLane, Long> lags = new EnumMap<>(TrialLane.class);
    Map<TrialLane, Map<String, Long>> charges = new EnumMap<>(TrialLane.class);
    cashiers.forEach((lane, cashier) -> {
      lags.put(lane, (long) placed.size() - cashier.settled.count());
      charges.put(lane, cashier.charges());
    });
    List<TrialOrder> orders = placed.stream()
        .map(id -> new TrialOrder(
            id,
            charges.getOrDefault(TrialLane.HAPAX, Map.of()).getOrDefault(id, 0L),
            charges.getOrDefault(TrialLane.LOOP, Map.of()).getOrDefault(id, 0L),
            false))
        .toList();
    Map<TrialLane, LaneReading> readings = new EnumMap<>(TrialLane.class);
    lags.forEach((lane, lag) ->
        readings.put(lane, new LaneReading(begin, true, OptionalLong.of(lag), orders)));
    return readings;
  }

  /** Closes its parts, the newest first. */
  @Override
  public synchronized void close() throws Exception {
    closed = true;
    try (AutoCloseable oldest = parts.pollLast()) {
      if (!parts.isEmpty()) {
        close();
      }
    }
  }
}
