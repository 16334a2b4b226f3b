package io.hapax.demo.scene;

import io.hapax.demo.scene.EventTopic.Subscription;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events of orders arrive reversed, and again in their order. Each order ends in the last state
 * of its history. No change of state happens twice, and each one that the final state needs has
 * happened.
 */
final class LifecycleScene implements Scene {

  private static final Duration WAIT = Duration.ofMillis(200);

  @Override
  public String title() {
    return "events out of order";
  }

  @Override
  public SceneResult play(Stage stage, Variant variant) throws Exception {
    List<Story> stories = List.of(
        reversed("order-1", OrderState.CREATED, OrderState.PAID, OrderState.SHIPPED),
        reversed("order-2", OrderState.CREATED, OrderState.CANCELLED),
        reversed("order-3", OrderState.CREATED, OrderState.PAID, OrderState.SHIPPED));
    List<OrderEvent> events =
        stories.stream().flatMap(story -> story.events().stream()).toList();
    try (Connection connection = stage.database().getConnection()) {
      OrderStates.create(connection);
    }
    Settled settled = new Settled();
    try (EventTopic<?> topic = stage.topic("lifecycle", 3);
        Subscription reading = stage.start(
            topic, variant, settled, OrderStates::overwrite, new OrderStates(WAIT)::change)) {
      topic.send(events);
      settled.await(events.size());
    }
    return stage.transact(shop -> result(shop, stories));
  }

  /** Returns a story whose events arrive from the last to the first, and then in their order. */
  private static Story reversed(String order, OrderState... history) {
    List<OrderState> arrival = new ArrayList<>(List.of(history));
    Collections.reverse(arrival);
    arrival.addAll(List.of(history));
    return new Story(order, List.of(history), List.copyOf(arrival));
  }

  private static SceneResult result(Connection connection, List<Story> stories)
      throws SQLException {
    List<String> asked = stories.stream()
        .flatMap(story -> story.history().stream().map(state -> story.order() + '/' + state))
        .toList();
    List<String> violations = new ArrayList<>();
    for (Story story : stories) {
      story.violation(connection).ifPresent(violations::add);
    }
    return SceneResult.count(asked, OrderStates.changes(connection)).with(violations);
  }
}
