package io.hapax.demo;

import io.hapax.DeadLetter;
import io.hapax.audit.AuditSample;
import io.hapax.audit.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Messages that never take effect, spread over the topic: each has to end in the dead-letter topic,
 * and to hold nobody up.
 *
 * @param postings the messages
 */
record Poison(List<Posting> postings) {

  private static final String NAMED = "poison-";
  private static final List<Flaw> FLAWS = List.of(Flaw.UNKNOWN_ARTICLE, Flaw.TORN, Flaw.NO_ID);

  Poison {
    postings = List.copyOf(postings);
  }

  /**
   * Makes some up; each flaw has its turn.
   *
   * @param seed decides whose they are
   */
  static Poison brew(long seed, int count) {
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

  /** Whether that is the id of such a message. */
  static boolean isNamed(String id) {
    return id.startsWith(NAMED);
  }

  /** These orders, with the poison at equal distances among them. */
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

  /** How many carry no id, so that nothing can be remembered of them. */
  int withoutId() {
    return (int) postings.stream().filter(each -> each.id().isEmpty()).count();
  }

  /** Whether an audit has to find it like that. */
  boolean explains(AuditSample sample) {
    return sample.finding() == Finding.MISSING_ID
        || (sample.finding() == Finding.DEAD && isNamed(sample.id()));
  }

  /** How many of them were dead-lettered, however often. */
  int deadLettered(List<DeadOrder> dead) {
    return (int)
        dead.stream().map(DeadOrder::id).filter(Poison::isNamed).distinct().count();
  }

  /**
   * What is wrong with the dead letters of a run, each a fault. A crash may have published one
   * twice, and a message without an id is dead-lettered whenever it is read.
   *
   * @param passes how often the whole topic was read
   */
  List<String> faults(List<DeadOrder> dead, int passes) {
    Map<String, List<String>> kinds = new HashMap<>();
    dead.forEach(
        each -> kinds.computeIfAbsent(each.id(), id -> new ArrayList<>()).add(each.kind()));
    List<String> faults = new ArrayList<>();
    for (Posting posting : postings) {
      String id = posting.order().id();
      String end = posting.flaw().end().map(DeadLetter.Kind::name).orElse("");
      List<String> found = kinds.getOrDefault(id, List.of());
      int least = posting.id().isEmpty() ? passes : 1;
      if (found.size() < least) {
        faults.add(id + " was dead-lettered " + found.size() + " times, but must be at least "
            + least + " times");
      }
      found.stream()
          .filter(kind -> !kind.equals(end))
          .forEach(kind -> faults.add(id + " was dead-lettered as " + kind + ", not as " + end));
    }
    dead.stream()
        .filter(each -> !isNamed(each.id()))
        .forEach(each -> faults.add(
            each.id() + " was dead-lettered as " + each.kind() + ", although it is no poison"));
    return faults;
  }
}
