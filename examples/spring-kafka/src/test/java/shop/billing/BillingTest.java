package shop.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BillingTest {

  @Test
  void an_order_that_is_sent_twice_has_one_invoice() {
    try (Shop shop = new Shop()) {
      send(shop, "a");
      send(shop, "b");
      send(shop, "a");
      send(shop, "last");
      awaitInvoice(shop, "last");

      assertThat(shop.bean(InvoiceRepository.class).countByOrderId("a")).isOne();
      assertThat(shop.bean(InvoiceRepository.class).countByOrderId("b")).isOne();

      shop.restart();
      send(shop, "a");
      send(shop, "after the restart");
      awaitInvoice(shop, "after the restart");

      assertThat(shop.bean(InvoiceRepository.class).countByOrderId("a")).isOne();
    }
  }

  /** All orders of a test have one customer, so that they are in one partition, in order. */
  private static void send(Shop shop, String id) {
    shop.bean(OrderProducer.class).send(new Order(id, "customer", BigDecimal.ONE));
  }

  private static void awaitInvoice(Shop shop, String id) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> shop.bean(InvoiceRepository.class).countByOrderId(id) > 0);
  }
}
