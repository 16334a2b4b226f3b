package io.hapax.chaos;

import io.hapax.demo.Order;
import io.hapax.demo.Orders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Places the orders of the live demo, and knows all that were placed. Thread-safe. */
final class OrderFlow {

  private static final long SEED = 1;

  private final Serving servers;
  private final Random random = new Random(SEED);
  private final List<Order> placed = new ArrayList<>();

  OrderFlow(Serving servers) {
    this.servers = servers;
  }

  /** Places new orders, and publishes each of them a number of times. Returns their ids. */
  List<String> place(int count, int times) throws IOException, InterruptedException {
    List<Order> orders = new ArrayList<>();
    synchronized (placed) {
      for (int i = 0; i < count; i++) {
        orders.add(Orders.order(random, SEED, placed.size() + i));
      }
      placed.addAll(orders);
    }
    for (int i = 0; i < times; i++) {
      servers.publish(orders);
    }
    return orders.stream().map(Order::id).toList();
  }

  List<String> ids() {
    synchronized (placed) {
      return placed.stream().map(Order::id).toList();
    }
  }
}
