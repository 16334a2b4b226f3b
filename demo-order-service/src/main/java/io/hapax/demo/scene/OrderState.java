package io.hapax.demo.scene;

import java.util.List;

/** A state of an order. An order becomes either SHIPPED or CANCELLED, or remains before that. */
enum OrderState {
  CREATED,
  PAID,
  SHIPPED,
  CANCELLED;

  List<OrderState> before() {
    return switch (this) {
      case CREATED -> List.of();
      case PAID -> List.of(CREATED);
      case SHIPPED -> List.of(PAID);
      case CANCELLED -> List.of(CREATED, PAID);
    };
  }

  /** Returns whether an order that is in another state can still get into this one. */
  boolean canFollow(OrderState other) {
    return before().contains(other) || before().stream().anyMatch(state -> state.canFollow(other));
  }
}
