package shop.shipping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ShippingTest {

  @Test
  void an_order_that_is_sent_twice_has_one_label() {
    try (Shop shop = new Shop()) {
      send(shop, "a");
      await().atMost(Duration.ofSeconds(60)).until(() -> labels(shop, "a") > 0);
      send(shop, "a");
      send(shop, "b");
      await().atMost(Duration.ofSeconds(60)).until(() -> labels(shop, "b") > 0);
      send(shop, "last");
      await().atMost(Duration.ofSeconds(60)).until(() -> labels(shop, "last") > 0);

      assertThat(labels(shop, "a")).isOne();
      assertThat(labels(shop, "b")).isOne();
    }
  }

  private static void send(Shop shop, String id) {
    shop.bean(OrderProducer.class).send(new Order(id, "Main Street"));
  }

  private static int labels(Shop shop, String id) {
    return Collections.frequency(shop.bean(LabelPrinter.class).printed(), id);
  }
}
