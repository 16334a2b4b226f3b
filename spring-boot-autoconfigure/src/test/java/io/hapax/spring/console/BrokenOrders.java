package io.hapax.spring.console;

import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.Claim;
import io.hapax.spring.CurrentDelivery;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The effects of orders. A broken one fails for good until it is mended. */
final class BrokenOrders {

  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final Map<String, Claim> claims = new ConcurrentHashMap<>();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();

  void breaks(String order) {
    broken.add(order);
  }

  void mend(String order) {
    broken.remove(order);
  }

  /** Handles an order within its delivery. */
  void handle(String order) {
    claims.put(order, CurrentDelivery.get().orElseThrow().claim());
    if (broken.contains(order)) {
      throw new RejectedMessageException("the order is cancelled");
    }
    effects.add(order);
  }

  /** Returns the claim of the latest delivery of an order. */
  Claim claim(String order) {
    return Objects.requireNonNull(claims.get(order));
  }

  long count(String order) {
    return effects.stream().filter(order::equals).count();
  }
}
