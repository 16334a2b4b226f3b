package io.hapax.chaos;

import io.hapax.chaos.Posting.Flaw;
import io.hapax.demo.BrokerException;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The topic of the live demo, and the orders that were placed. Thread-safe. */
final class LiveOrders {

  static final String NAIVE_GROUP = "naive";

  private static final long SEED = 1;

  private final KafkaBroker broker;
  private final Random random = new Random(SEED);
  private final List<Order> placed = new ArrayList<>();

  LiveOrders(KafkaBroker broker) {
    this.broker = broker;
  }

  void place(int count) throws BrokerException, InterruptedException {
    List<Order> orders = new ArrayList<>();
    synchronized (placed) {
      for (int i = 0; i < count; i++) {
        orders.add(Orders.order(random, SEED, placed.size() + i));
      }
      placed.addAll(orders);
    }
    publish(orders);
  }

  /** Publishes the newest orders again, and returns their number. */
  int repeat(int most) throws BrokerException, InterruptedException {
    List<Order> newest;
    synchronized (placed) {
      newest = List.copyOf(placed.subList(Math.max(0, placed.size() - most), placed.size()));
    }
    publish(newest);
    return newest.size();
  }

  private void publish(List<Order> orders) throws BrokerException, InterruptedException {
    broker.publish(orders.stream().map(order -> new Posting(order, Flaw.NONE)).toList());
  }

  List<String> placed() {
    synchronized (placed) {
      return placed.stream().map(Order::id).toList();
    }
  }

  void rewind() throws InterruptedException {
    broker.rewind(OrderChannel.GROUP);
    broker.rewind(NAIVE_GROUP);
  }
}
