package io.hapax.chaos;

import io.hapax.chaos.Posting.Flaw;
import io.hapax.demo.Order;
import io.hapax.demo.Orders;
import io.hapax.operations.audit.AuditSample;
import io.hapax.operations.audit.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Messages that never take effect, spread over the topic. Each must end in the dead-letter topic
 * and block no other message.
 */
record Poison(List<Posting> postings) {

  private static final String NAMED = "poison-";
  private static final List<Flaw> FLAWS = List.of(Flaw.UNKNOWN_ARTICLE, Flaw.TORN, Flaw.NO_ID);

  static Poison generate(long seed, int count) {
    Random random = new Random(seed);
    List<Posting> postings = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Flaw flaw = FLAWS.get(number % FLAWS.size());
      String article = flaw == Flaw.UNKNOWN_ARTICLE ? "sku-none" : Orders.ARTICLES.get(0);
      Order order = new Order(
          NAMED + seed + '-' + number,
          Orders.customer(random),
          List.of(new Order.Item(article, 1)),
          100);
      postings.add(new Posting(order, flaw));
    }
    return new Poison(postings);
  }

  static boolean isNamed(String id) {
    return id.startsWith(NAMED);
  }

  /** Returns the orders with these messages at equal distances among them. */
  List<Posting> among(List<Order> orders) {
    List<Posting> all = new ArrayList<>();
    orders.forEach(order -> all.add(new Posting(order, Flaw.NONE)));
    for (int i = postings.size() - 1; i >= 0; i--) {
      all.add((int) ((2L * i + 1) * orders.size() / (2L * postings.size())), postings.get(i));
    }
    return all;
  }

  int count() {
    return postings.size();
  }

  int withoutId() {
    return (int) postings.stream().filter(each -> each.id().isEmpty()).count();
  }

  boolean explains(AuditSample sample) {
    return sample.finding() == Finding.MISSING_ID
        || (sample.finding() == Finding.DEAD && isNamed(MarkIds.WITHIN_TOPIC.order(sample.id())));
  }

  /** Returns how many of them have a dead-letter record. Copies count once. */
  int deadLettered(List<OrderBroker.DeadOrder> dead) {
    return (int) dead.stream()
        .map(OrderBroker.DeadOrder::id)
        .filter(Poison::isNamed)
        .distinct()
        .count();
  }

  /** A crash may publish a record twice, and each pass adds a record of a message without an id. */
  List<String> violations(List<OrderBroker.DeadOrder> dead, int passes) {
    Map<String, List<String>> kinds = new HashMap<>();
    dead.forEach(
        each -> kinds.computeIfAbsent(each.id(), id -> new ArrayList<>()).add(each.kind()));
    List<String> violations = new ArrayList<>();
    for (Posting posting : postings) {
      String id = posting.order().id();
      String end = posting.flaw().end();
      List<String> found = kinds.getOrDefault(id, List.of());
      int least = posting.id().isEmpty() ? passes : 1;
      if (found.size() < least) {
        violations.add(id + " was dead-lettered " + found.size() + " times, but must be at least "
            + least + " times");
      }
      found.stream()
          .filter(kind -> !kind.equals(end))
          .forEach(
              kind -> violations.add(id + " was dead-lettered as " + kind + ", not as " + end));
    }
    dead.stream()
        .filter(each -> !isNamed(each.id()))
        .forEach(each -> violations.add(
            each.id() + " was dead-lettered as " + each.kind() + ", although it is no poison"));
    return violations;
  }
}
