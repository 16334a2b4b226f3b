package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.chaos.Reports.Recovery;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportReaderTest {

  private final ByteArrayOutputStream pipe = new ByteArrayOutputStream();
  private final Reports reports = new Reports(pipe);

  @Test
  void an_order_is_in_flight_from_its_start_to_its_outcome() {
    reports.started(
        List.of(new Reports.InFlight("orders-0@1", "a"), new Reports.InFlight("orders-0@2", "b")));
    reports.ended(new Reports.InFlight("orders-0@1", "a"), Reports.Ending.EXECUTED);

    ReportReader reader = read();

    assertThat(reader.inFlight()).containsExactly("b");
    assertThat(reader.count(Reports.Ending.EXECUTED)).isEqualTo(1);
  }

  @Test
  void a_deferred_message_is_not_settled() {
    reports.ended(new Reports.InFlight("orders-0@1", "a"), Reports.Ending.DUPLICATE);
    reports.ended(new Reports.InFlight("orders-0@2", "b"), Reports.Ending.DEFERRED);

    assertThat(read().settled()).isEqualTo(1);
    assertThat(read().deliveries()).isEqualTo(2);
  }

  @Test
  void an_order_whose_message_was_deferred_is_still_in_flight() {
    reports.started(List.of(new Reports.InFlight("orders-0@1", "a")));
    reports.ended(new Reports.InFlight("orders-0@1", "a"), Reports.Ending.DEFERRED);

    assertThat(read().inFlight()).containsExactly("a");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
  void an_order_that_is_settled_at_another_place_is_in_flight_no_more(Reports.Ending ending) {
    reports.started(
        List.of(new Reports.InFlight("orders-0@1", "a"), new Reports.InFlight("orders-0@2", "b")));
    reports.ended(new Reports.InFlight("orders-0@1", "a"), Reports.Ending.DEFERRED);
    reports.started(List.of(new Reports.InFlight("retries-0@7", "a")));
    reports.ended(new Reports.InFlight("retries-0@8", "a"), ending);

    assertThat(read().inFlight()).containsExactly("b");
  }

  @Test
  void everything_else_arrives_as_it_was_said() {
    reports.ready();
    reports.armed(Reports.BY_EFFECTS);
    reports.recovery(new Recovery("a", 9));

    ReportReader reader = read();

    assertThat(reader.ready()).isTrue();
    assertThat(reader.armed()).isTrue();
    assertThat(reader.recoveries()).containsExactly(new Recovery("a", 9));
  }

  @Test
  void a_recovery_is_measured_from_the_interruption_or_the_later_start_of_the_new_consumer() {
    ReportReader reader = new ReportReader();
    reader.accept("ready", 1_000);
    reader.accept("polled 2", 1_050); // as older versions do
    reader.accept("start orders-0@1 a", 1_100);
    reader.accept("start orders-0@2 b", 1_200);
    reader.accept("end orders-0@1 a EXECUTED", 1_500);
    reader.accept("end orders-0@2 b EXECUTED", 1_700);

    Set<String> inFlight = Set.of("a", "never here");
    assertThat(reader.executedAfter(900, inFlight, true))
        .isEqualTo(Map.of("a", Duration.ofNanos(500)));
    assertThat(reader.executedAfter(900, inFlight, false))
        .isEqualTo(Map.of("a", Duration.ofNanos(600)));
    assertThat(reader.executedAfter(1_300, inFlight, true))
        .isEqualTo(Map.of("a", Duration.ofNanos(200)));
    assertThat(reader.executedAfter(1_500, inFlight, true)).isEmpty();
    assertThat(reader.executedBefore(1_500, inFlight)).isEmpty();
    assertThat(reader.executedBefore(1_501, inFlight)).containsExactly("a");
  }

  @Test
  void a_recovery_does_not_count_the_time_in_which_the_new_consumer_was_stopped() {
    ReportReader reader = new ReportReader();
    reader.accept("ready", 1_000);
    reader.paused(900, 1_100);
    reader.paused(1_200, 1_350);
    reader.accept("end orders-0@1 a EXECUTED", 1_500);

    assertThat(reader.executedAfter(500, Set.of("a"), true))
        .isEqualTo(Map.of("a", Duration.ofNanos(250)));
  }

  @Test
  void an_unknown_line_is_refused() {
    assertThatThrownBy(() -> new ReportReader().accept("hello world", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hello world");
  }

  private ReportReader read() {
    ReportReader reader = new ReportReader();
    pipe.toString(StandardCharsets.UTF_8).lines().forEach(line -> reader.accept(line, 0));
    return reader;
  }
}
