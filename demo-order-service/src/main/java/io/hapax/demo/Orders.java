package io.hapax.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The input of a run: the same seed gives the same orders in the same sequence.
 *
 * @param distinct each order once
 * @param published the sequence that the producer sends: each order, and some of them again
 */
public record Orders(List<Order> distinct, List<Order> published) {

  public static final List<String> ARTICLES =
      IntStream.range(0, 20).mapToObj(number -> "sku-%02d".formatted(number)).toList();

  private static final int CUSTOMERS = 200;

  public Orders {
    distinct = List.copyOf(distinct);
    published = List.copyOf(published);
  }

  /** Generates orders. The producer sends a {@code share} of them a second time. */
  public static Orders generate(long seed, int count, double share) {
    Random random = new Random(seed);
    List<Order> distinct = new ArrayList<>(count);
    for (int number = 0; number < count; number++) {
      distinct.add(order(random, seed, number));
    }
    return new Orders(distinct, withDuplicates(random, distinct, (int) Math.round(count * share)));
  }

  /** Returns an order, always the same for the same id. */
  static Order single(String id) {
    return new Order(id, "customer-000", List.of(new Order.Item(ARTICLES.get(0), 2)), 1_999);
  }

  public long pieces(List<LedgerRow> effects) {
    Map<String, Integer> pieces = distinct.stream()
        .collect(Collectors.toMap(
            Order::id,
            order -> order.items().stream().mapToInt(Order.Item::quantity).sum()));
    return effects.stream()
        .mapToLong(row -> pieces.getOrDefault(row.orderId(), 0))
        .sum();
  }

  public static String customer(Random random) {
    return "customer-%03d".formatted(random.nextInt(CUSTOMERS));
  }

  /** Returns a random order. Seed and number are its id. */
  public static Order order(Random random, long seed, int number) {
    int lines = 1 + random.nextInt(3);
    int first = random.nextInt(ARTICLES.size());
    List<Order.Item> items = IntStream.range(0, lines)
        .mapToObj(line ->
            new Order.Item(ARTICLES.get((first + line) % ARTICLES.size()), 1 + random.nextInt(5)))
        .toList();
    return new Order(
        "order-%d-%06d".formatted(seed, number),
        customer(random),
        items,
        100 + random.nextInt(50_000));
  }

  /** Adds copies shortly after their orders. A producer without an answer soon sends again. */
  private static List<Order> withDuplicates(Random random, List<Order> distinct, int copies) {
    List<Order> published = new ArrayList<>(distinct);
    List<Integer> places = new ArrayList<>();
    IntStream.range(0, distinct.size()).forEach(places::add);
    Collections.shuffle(places, random);
    List<Integer> chosen = places.stream().limit(copies).sorted().toList();
    for (int i = chosen.size() - 1; i >= 0; i--) {
      int original = chosen.get(i);
      int after = Math.min(published.size(), original + 1 + random.nextInt(50));
      published.add(after, distinct.get(original));
    }
    return published;
  }
}
