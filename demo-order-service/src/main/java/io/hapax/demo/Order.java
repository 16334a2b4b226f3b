package io.hapax.demo;

import java.util.List;

/**
 * An order on the topic.
 *
 * @param id the business message id, the same whenever the producer sends it again
 * @param customer the customer
 * @param items the ordered items
 * @param amountCents the price
 */
public record Order(String id, String customer, List<Item> items, long amountCents) {

  public Order {
    items = List.copyOf(items);
  }

  /**
   * One line of an order.
   *
   * @param sku the article
   * @param quantity the number of pieces
   */
  public record Item(String sku, int quantity) {}
}
