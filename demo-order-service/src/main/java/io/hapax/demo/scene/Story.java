package io.hapax.demo.scene;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What happened to an order, and the states as their events arrive, some twice. */
record Story(String order, List<OrderState> history, List<OrderState> arrival) {

  List<OrderEvent> events() {
    return arrival.stream().map(state -> OrderEvent.of(order, state.name(), 0)).toList();
  }

  OrderState end() {
    return history.get(history.size() - 1);
  }

  Optional<String> violation(Connection connection) throws SQLException {
    List<String> state = OrderStates.state(connection, order);
    return state.equals(List.of(end().name()))
        ? Optional.empty()
        : Optional.of(order + " ended as " + state + " after " + arrival);
  }
}
