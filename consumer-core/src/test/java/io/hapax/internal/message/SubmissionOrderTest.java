package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmissionOrderTest {

  private final SubmissionOrder order = new SubmissionOrder();
  private final List<String> begun = new ArrayList<>();

  private SubmissionOrder.Place place() {
    SubmissionOrder.Place place = new SubmissionOrder.Place();
    order.add(place);
    return place;
  }

  private void begin(SubmissionOrder.Place place, String name) {
    order.begin(place, () -> begun.add(name));
  }

  @Test
  void work_runs_in_the_order_of_its_places() {
    SubmissionOrder.Place first = place();
    SubmissionOrder.Place second = place();

    begin(second, "second");
    assertThat(begun).isEmpty();
    begin(first, "first");

    assertThat(begun).containsExactly("first", "second");
  }

  @Test
  void a_skipped_place_delays_nothing() {
    SubmissionOrder.Place first = place();
    begin(place(), "second");

    order.begin(first, () -> begun.add("skipped"));

    assertThat(begun).containsExactly("skipped", "second");
  }

  @Test
  void work_that_was_given_runs_although_its_place_is_skipped() {
    SubmissionOrder.Place first = place();
    SubmissionOrder.Place second = place();
    begin(second, "second");
    order.begin(second, () -> begun.add("skipped"));

    begin(first, "first");

    assertThat(begun).containsExactly("first", "second");
  }

  @Test
  void work_that_gives_more_work_does_not_run_it_in_its_midst() {
    SubmissionOrder.Place first = place();
    SubmissionOrder.Place second = place();

    order.begin(first, () -> {
      begin(second, "second");
      begun.add("first");
    });

    assertThat(begun).containsExactly("first", "second");
  }
}
