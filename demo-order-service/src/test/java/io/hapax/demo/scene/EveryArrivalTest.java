package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Delivers every history of an order in every sequence in which each of its events arrives twice.
 */
@Timeout(300)
@ExtendWith(OnStage.class)
class EveryArrivalTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ROUNDS = 1_000;

  /** The histories that a shop can produce. */
  private static final List<List<OrderState>> HISTORIES = List.of(
      List.of(OrderState.CREATED, OrderState.PAID, OrderState.SHIPPED),
      List.of(OrderState.CREATED, OrderState.PAID, OrderState.CANCELLED),
      List.of(OrderState.CREATED, OrderState.CANCELLED));

  private final List<Story> stories = stories();

  private static List<Story> stories() {
    List<Story> stories = new ArrayList<>();
    for (List<OrderState> history : HISTORIES) {
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

  @Test
  void every_arrival_ends_in_the_last_state_of_its_history(Servers servers) throws Exception {
    Stage stage = servers.stage();
    OrderStates states = new OrderStates(Duration.ofMillis(1));
    try (Connection connection = stage.database().getConnection()) {
      OrderStates.create(connection);
      try (IdempotentReceiver<OrderEvent> receiver = IdempotentReceiver.<OrderEvent>builder(
              "every-arrival")
          .id(event -> Optional.of(Bytes.utf8(event.id())))
          .fingerprint(event -> Fingerprint.of(event.toJson()))
          .transactional(
              (JdbcDedupStore) stage.marks(),
              TransactionalHandler.forEach(
                  (transaction, delivery) -> states.change(transaction, delivery.message())))) {
        for (Story story : stories) {
          deliver(receiver, story);
        }
      }

      assertThat(stories).hasSize(186);
      assertThat(violations(connection)).isEmpty();
      assertThat(OrderStates.changes(connection)).doesNotHaveDuplicates();
    }
  }

  @Test
  void code_that_expects_order_ends_many_arrivals_in_another_state(Servers servers)
      throws Exception {
    try (Connection connection = servers.postgres().getConnection()) {
      OrderStates.create(connection);
      for (Story story : stories) {
        for (OrderEvent event : story.events()) {
          OrderStates.overwrite(connection, event);
        }
      }

      assertThat(violations(connection)).hasSizeGreaterThan(stories.size() / 2);
      List<String> changes = OrderStates.changes(connection);
      assertThat(changes.size()).isEqualTo(2 * new HashSet<>(changes).size());
    }
  }

  /** Delivers the events in their order, and deferred ones again until all are acknowledged. */
  private static void deliver(IdempotentReceiver<OrderEvent> receiver, Story story)
      throws InterruptedException {
    List<OrderEvent> deferred = new ArrayList<>();
    for (OrderEvent event : story.events()) {
      if (!isAcknowledged(receiver, event)) {
        deferred.add(event);
      }
    }
    for (int round = 0; round < ROUNDS && !deferred.isEmpty(); round++) {
      for (OrderEvent event : List.copyOf(deferred)) {
        if (isAcknowledged(receiver, event)) {
          deferred.remove(event);
        }
      }
    }
    assertThat(deferred).as(story.toString()).isEmpty();
  }

  private static boolean isAcknowledged(IdempotentReceiver<OrderEvent> receiver, OrderEvent event)
      throws InterruptedException {
    Incoming<OrderEvent> message = new Incoming<>(
        Handout.of(event), event.id(), false, event.id(), false, Incoming.NO_TIMESTAMP);
    return receiver.receive(List.of(message), PATIENCE).get(0).mayAcknowledge();
  }

  private List<String> violations(Connection connection) throws Exception {
    List<String> violations = new ArrayList<>();
    for (Story story : stories) {
      story.violation(connection).ifPresent(violations::add);
    }
    return violations;
  }

  @Test
  void a_changed_state_hides_that_the_mail_was_never_sent(Servers servers) throws Exception {
    Stage stage = servers.stage();
    OrderStates states = new OrderStates(Duration.ZERO);
    List<String> mails = new ArrayList<>();
    try (Connection connection = stage.database().getConnection()) {
      OrderStates.create(connection);
      states.change(connection, OrderEvent.of("order-1", "CREATED", 0));

      OrderEvent paid = OrderEvent.of("order-1", "PAID", 0);
      states.change(connection, paid); // the process dies before it sends the mail
      int before = OrderStates.changes(connection).size();
      states.change(connection, paid);
      if (OrderStates.changes(connection).size() > before) {
        mails.add("order-1 is paid");
      }

      assertThat(OrderStates.state(connection, "order-1")).containsExactly("PAID");
      assertThat(mails).isEmpty();
    }
  }
}
