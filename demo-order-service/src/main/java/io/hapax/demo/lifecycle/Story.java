package io.hapax.demo.lifecycle;

import io.hapax.demo.scene.OrderEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What happened to an order, and the states as their events arrive, some twice. */
record Story(String order, List<OrderState> history, List<OrderState> arrival) {

  /** Returns a story for every arrival of every history in which each event arrives twice. */
  static List<Story> all() {
    List<Story> stories = new ArrayList<>();
    for (List<OrderState> history : OrderState.histories()) {
      List<OrderState> twice = Stream.concat(history.stream(), history.stream()).toList();
      for (List<OrderState> arrival : arrivals(twice)) {
        stories.add(new Story("order-%03d".formatted(stories.size()), history, arrival));
      }
    }
    return stories;
  }

  private static Set<List<OrderState>> arrivals(List<OrderState> events) {
    if (events.isEmpty()) {
      return Set.of(List.of());
    }
    Set<List<OrderState>> arrivals = new LinkedHashSet<>();
    for (int i = 0; i < events.size(); i++) {
      List<OrderState> rest = new ArrayList<>(events);
      OrderState first = rest.remove(i);
      for (List<OrderState> arrival : arrivals(rest)) {
        arrivals.add(Stream.concat(Stream.of(first), arrival.stream()).toList());
      }
    }
    return arrivals;
  }

  /** Returns the events as they arrive. */
  List<OrderEvent> events() {
    return arrival.stream().map(state -> OrderEvent.of(order, state.name(), 0)).toList();
  }

  OrderState end() {
    return history.get(history.size() - 1);
  }

  /** Describes a final state that is not that of the history. */
  Optional<String> violation(Connection connection) throws SQLException {
    List<String> state = OrderStates.state(connection, order);
    return state.equals(List.of(end().name()))
        ? Optional.empty()
        : Optional.of(order + " ended as " + state + " after " + arrival);
  }
}
