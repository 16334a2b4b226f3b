package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.errors.NotAppliedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What the lines that a handler logs carry, and what is left of it afterwards. */
class LoggingContextTest extends FaultFixture {

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

  /** One thread for all handlers, on which a duplicate's handler shows what the first left. */
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
