package io.hapax.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.SettleAnswer;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreException;
import io.hapax.store.StoreListeners;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behind the class through which stores report events. */
class MicrometerStoreListenerTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StoreListeners store = new StoreListeners();

  @BeforeEach
  void listen() {
    store.listen(new MicrometerStoreListener(registry, "orders-redis"));
  }

  private Timer calls(String verb, String result) {
    return registry
        .get("hapax.store.calls")
        .tags("store", "orders-redis", "verb", verb, "result", result)
        .timer();
  }

  @Test
  void a_call_is_timed_by_its_verb_with_its_marks() {
    store.call(StoreCall.Verb.CLAIM, 500, () -> List.of());

    assertThat(calls("claim", "ok").count()).isEqualTo(1);
    assertThat(calls("settle", "ok").count()).isZero();
    assertThat(registry.get("hapax.store.marks").tag("verb", "claim").summary().totalAmount())
        .isEqualTo(500);
  }

  @Test
  void a_failed_call_is_counted_by_its_error() {
    assertThatThrownBy(() -> store.call(StoreCall.Verb.SETTLE, 1, () -> {
          throw new StoreException("no reply");
        }))
        .isInstanceOf(StoreException.class);

    assertThat(calls("settle", "failed").count()).isEqualTo(1);
    assertThat(calls("settle", "ok").count()).isZero();
    assertThat(registry
            .get("hapax.store.call.errors")
            .tag("error", "failed")
            .counter()
            .count())
        .isEqualTo(1);
  }

  @Test
  void marks_behind_a_node_that_does_not_answer_are_counted() {
    store.call(
        StoreCall.Verb.SETTLE,
        2,
        () -> List.of(
            new SettleAnswer.Settled(false), new SettleAnswer.Unavailable("node 2 is down")));

    assertThat(registry.get("hapax.store.unavailable").counter().count()).isEqualTo(1);
  }
}
