package io.hapax.demo;

import java.util.List;

/** An order on the topic. Its id is the same whenever the producer sends it again. */
public record Order(String id, String customer, List<Item> items, long amountCents) {

  public Order {
    items = List.copyOf(items);
  }

  /** One line of an order: an article and the number of pieces. */
  public record Item(String sku, int quantity) {}
}
