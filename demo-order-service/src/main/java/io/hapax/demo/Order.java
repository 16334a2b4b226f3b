package io.hapax.demo;

import java.util.List;

/**
 * An order as it stands on the topic.
 *
 * @param id the business message id, the same whenever the producer sends it again
 * @param customer who ordered
 * @param items what was ordered
 * @param amountCents what it costs
 */
record Order(String id, String customer, List<Item> items, long amountCents) {

  Order {
    items = List.copyOf(items);
  }

  /**
   * One line of an order.
   *
   * @param sku the article
   * @param quantity how many
   */
  record Item(String sku, int quantity) {}
}
