package shop.shipping;

import java.time.Duration;
import java.time.Instant;

/** Runs the application with servers of its own, and sends each order twice. */
public final class RunWithServers {

  private static final int ORDERS = 20;

  private RunWithServers() {}

  public static void main(String[] args) throws InterruptedException {
    try (Shop shop = new Shop()) {
      for (int copy = 1; copy <= 2; copy++) {
        for (int number = 1; number <= ORDERS; number++) {
          shop.bean(OrderProducer.class).send(new Order("order-" + number, "Main Street"));
        }
      }
      LabelPrinter printer = shop.bean(LabelPrinter.class);
      Instant limit = Instant.now().plus(Duration.ofSeconds(30));
      while (printer.printed().size() < ORDERS && Instant.now().isBefore(limit)) {
        Thread.sleep(100);
      }
      Thread.sleep(5_000); // in which second labels would come
      System.out.printf(
          "%n%d messages were sent for %d orders: %d labels were printed%n%n",
          2 * ORDERS, ORDERS, printer.printed().size());
    }
  }
}
