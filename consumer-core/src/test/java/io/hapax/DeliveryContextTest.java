package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/**
 * What a handler gets with its message and may pass to a downstream, and what its log lines carry.
 */
class DeliveryContextTest extends LeasedFixture {

  private final List<Delivery<String>> seen = new CopyOnWriteArrayList<>();

  @Test
  void a_handler_sees_the_remaining_time_of_its_lease() throws Exception {
    List<Duration> left = new ArrayList<>();

    receive(receiver(delivery -> left.add(delivery.leaseRemaining())), "a");

    assertThat(left.get(0)).isPositive().isLessThanOrEqualTo(LeaseSettings.DEFAULT.lease());
  }

  @Test
  void every_attempt_of_a_message_hands_on_the_same_idempotency_key() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      seen.add(delivery);
      if (delivery.attempt() == 1) {
        throw new IllegalStateException("the gateway timed out");
      }
    });
    receive(receiver, "a");
    clock.advance(Duration.ofMinutes(2));
    receive(receiver, "a", "b");

    assertThat(seen).extracting(Delivery::attempt).containsExactly(1, 2, 1);
    assertThat(seen.get(1).idempotencyKey()).isEqualTo(seen.get(0).idempotencyKey());
    assertThat(seen.get(2).idempotencyKey()).isNotEqualTo(seen.get(0).idempotencyKey());
  }

  @Test
  void two_consumers_hand_on_different_idempotency_keys_for_the_same_message() throws Exception {
    for (String consumer : List.of("billing", "shipping")) {
      IdempotentReceiver<String> receiver = open(IdempotentReceiver.<String>builder(consumer)
          .id(text -> Optional.of(Bytes.utf8(text)))
          .noFingerprint()
          .leased(store, seen::add));
      receiver.receive(lane("p0", "order-17"), LONG_PATIENCE);
    }

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0).idempotencyKey()).isNotEqualTo(seen.get(1).idempotencyKey());
  }

  private final List<Map<String, String>> inside = new CopyOnWriteArrayList<>();
  private final List<Map<String, String>> after = new CopyOnWriteArrayList<>();

  @AfterEach
  void leaveNothingToOtherTests() {
    MDC.clear();
  }

  private static Map<String, String> now() {
    Map<String, String> entries = MDC.getCopyOfContextMap();
    return entries == null ? Map.of() : new TreeMap<>(entries);
  }

  private static Map<String, String> of(String id, String attempt) {
    return Map.of("hapax.messageId", id, "hapax.attempt", attempt);
  }

  /** Returns a builder with one worker, whose handler of duplicates records the log context. */
  private ReceiverBuilder<String> onOneThread() {
    return builder().workers(1).onDuplicate((message, result) -> after.add(now()));
  }

  @Test
  void id_and_attempt_are_in_the_log_context_only_while_a_handler_runs() throws Exception {
    IdempotentReceiver<String> receiver =
        open(onOneThread().leased(marks, delivery -> inside.add(now())));

    receive(receiver, "order-17");
    receive(receiver, "order-17");

    assertThat(inside).containsExactly(of("order-17", "1"));
    assertThat(after).containsExactly(Map.of());
  }

  @Test
  void the_log_context_is_cleared_after_a_failure_and_has_the_next_attempt() throws Exception {
    IdempotentReceiver<String> receiver = open(onOneThread().answering(marks, delivery -> {
      inside.add(now());
      throw new NotAppliedException("refused");
    }));
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "done"), PATIENCE);

    receive(receiver, "order-17");
    receive(receiver, "done");
    clock.advance(Duration.ofMinutes(2));
    receive(receiver, "order-17");

    assertThat(inside).containsExactly(of("order-17", "1"), of("order-17", "2"));
    assertThat(after).containsExactly(Map.of());
  }

  @Test
  void entries_of_the_handlers_own_stay() throws Exception {
    IdempotentReceiver<String> receiver =
        open(onOneThread().leased(marks, delivery -> MDC.put("tenant", "acme")));

    receive(receiver, "order-17");
    receive(receiver, "order-17");

    assertThat(after).containsExactly(Map.of("tenant", "acme"));
  }

  @Test
  void previous_values_of_the_keys_are_restored() throws Exception {
    MDC.put("hapax.messageId", "outer");

    LoggingContext.around(delivery("inner"), () -> inside.add(now()));

    assertThat(inside).containsExactly(of("inner", "1"));
    assertThat(now()).isEqualTo(Map.of("hapax.messageId", "outer"));
  }

  @Test
  void a_call_for_many_messages_has_no_id_and_one_for_one_has() throws Exception {
    IdempotentReceiver<String> receiver =
        open(onOneThread().leasedBatches(marks, deliveries -> inside.add(now())));

    receive(receiver, "a", "b");
    receive(receiver, "c");

    assertThat(inside).containsExactly(Map.of(), of("c", "1"));
  }

  @Test
  void in_a_transaction_each_message_has_its_own() throws Exception {
    TransactionalHandler<String, String> handler =
        TransactionalHandler.forEach((transaction, delivery) -> inside.add(now()));

    handler.handle("tx", List.of(delivery("a"), delivery("b")));

    assertThat(inside).containsExactly(of("a", "1"), of("b", "1"));
    assertThat(now()).isEmpty();
  }

  private static Delivery<String> delivery(String id) {
    return TestDeliveries.of(key(id), 1, id);
  }
}
