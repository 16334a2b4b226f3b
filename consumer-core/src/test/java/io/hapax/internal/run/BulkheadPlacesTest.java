package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.run.Bulkhead.Place;
import org.junit.jupiter.api.Test;

class BulkheadPlacesTest {

  private final Bulkhead<String> bulkhead = new Bulkhead<>(2);

  @Test
  void the_first_calls_start_and_the_others_wait_in_their_order() {
    assertThat(bulkhead.come("a")).isEqualTo(Place.TURN);
    assertThat(bulkhead.come("b")).isEqualTo(Place.TURN);
    assertThat(bulkhead.come("c")).isEqualTo(Place.WAITS);
    assertThat(bulkhead.come("d")).isEqualTo(Place.WAITS);

    assertThat(bulkhead.end(false)).hasValue("c");
    assertThat(bulkhead.end(false)).hasValue("d");
    assertThat(bulkhead.end(false)).isEmpty();
    assertThat(bulkhead.come("e")).isEqualTo(Place.TURN);
  }

  @Test
  void calls_are_rejected_while_all_running_ones_hang() {
    bulkhead.come("a");
    bulkhead.come("b");
    bulkhead.come("c");

    assertThat(bulkhead.hangs()).as("one still runs").isEmpty();
    assertThat(bulkhead.hangs()).containsExactly("c");
    assertThat(bulkhead.come("d")).isEqualTo(Place.SENT_AWAY);

    assertThat(bulkhead.end(true)).isEmpty();
    assertThat(bulkhead.come("e")).isEqualTo(Place.TURN);
    assertThat(bulkhead.come("f")).isEqualTo(Place.WAITS);
  }
}
