package shop.billing;

import java.math.BigDecimal;

/** Runs the application with servers of its own, and sends each order twice. */
public final class RunWithServers {

  private static final int ORDERS = 20;

  private RunWithServers() {}

  public static void main(String[] args) throws Exception {
    try (Shop shop = new Shop()) {
      for (int copy = 1; copy <= 2; copy++) {
        for (int number = 1; number <= ORDERS; number++) {
          shop.bean(OrderProducer.class)
              .send(new Order("order-" + number, "customer-" + number % 4, BigDecimal.TEN));
        }
      }
      shop.awaitHandled();
      System.out.printf(
          "%n%d records were sent for %d orders: %d invoices were written%n%n",
          2 * ORDERS, ORDERS, shop.bean(InvoiceRepository.class).count());
    }
  }
}
