package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchIntakeTest {

  private final TestSettings settings = new TestSettings();
  private final TestSettling parts = new TestSettling(settings);
  private final TestMessages messages = parts.messages;
  private final BatchIntake<String> intake =
      new BatchIntake<>(messages.ids, parts.unmarked, messages.outcomes);

  private List<InFlightMessage<String>> read(String... texts) {
    List<InFlightMessage<String>> read = messages.read(settings, texts);
    read.stream().filter(it -> it.markable).forEach(it -> {
      var unused = messages.ids.register(it.requiredKey(), it);
    });
    return read;
  }

  @Test
  void a_transaction_begins_with_each_id_once() {
    List<InFlightMessage<String>> lane = read("A", "B", "A");

    assertThat(intake.select(lane)).containsExactly(lane.get(0), lane.get(1));
  }

  @Test
  void a_message_whose_id_is_in_flight_elsewhere_stops_its_lane() {
    var unused = read("A");
    List<InFlightMessage<String>> lane = read("A", "B");

    assertThat(intake.select(lane)).isEmpty();
    assertThat(lane.get(1).outcome()).isPresent();
  }

  @Test
  void a_message_without_id_that_cannot_be_dead_lettered_stops_its_lane() {
    List<InFlightMessage<String>> lane = read("A", "?", "B");

    assertThat(intake.select(lane)).containsExactly(lane.get(0));
    assertThat(lane.get(2).outcome()).isPresent();
  }
}
