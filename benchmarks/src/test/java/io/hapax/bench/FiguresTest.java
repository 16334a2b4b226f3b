package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.EngineRounds.Cost;
import io.hapax.bench.KafkaLatencyTurn.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private static final Offset<Double> EXACTLY = Offset.offset(1e-9);

  @Test
  void the_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() {
    assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(5, 1, 9));
    assertThat(Spread.of(List.of(9.0, 1.0, 5.0, 7.0))).isEqualTo(new Spread(6, 1, 9));
  }

  @Test
  void the_spread_is_half_of_the_range_in_percent_of_the_median() {
    assertThat(new Spread(200, 190, 230).percent()).isEqualTo(10, EXACTLY);
  }

  @Test
  void a_row_has_the_floor_of_its_operation_and_the_limit_of_its_batch_too() {
    Map<Contender, Spread> measured = new LinkedHashMap<>();
    put(measured, Operation.FRESH, Role.FLOOR, 1, 10);
    put(measured, Operation.RUN_ONCE, Role.FLOOR, 1, 20);
    for (int batch : List.of(1, 500)) {
      put(measured, Operation.RUN_ONCE, Role.HAPAX, batch, 100 * batch);
      put(measured, Operation.RUN_ONCE, Role.LIMIT, batch, 200 * batch);
      put(measured, Operation.FRESH, Role.LIMIT, batch, 1);
    }

    List<Row> rows = Row.of(StoreKind.H2, 7, 3, measured);

    assertThat(rows).extracting(Row::batch).containsExactly(1, 500);
    assertThat(rows).allSatisfy(row -> assertThat(row.ofLimit()).hasValue(0.5));
    assertThat(rows.get(1).timesFloor()).hasValue(2500.0);
    assertThat(rows).allSatisfy(row -> {
      assertThat(row.marks()).isEqualTo(7);
      assertThat(row.threads()).isEqualTo(3);
    });
  }

  @Test
  void an_engine_costs_what_is_left_when_the_store_is_taken_off() {
    Cost engine = new Cost(900, 800, 700).minus(new Cost(300, 200, 100));

    assertThat(engine).isEqualTo(new Cost(600, 600, 600));
  }

  @Test
  void percentiles_are_those_of_the_sorted_latencies() {
    long[] nanos = new long[200];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = (nanos.length - i) * 1_000_000L;
    }

    assertThat(Latency.of(nanos)).isEqualTo(new Latency(100, 198));
  }

  @Test
  void a_consumer_adds_its_latency_to_that_of_the_bare_loop() {
    KafkaReport report = new KafkaReport(
        Map.of(),
        Map.of(
            1_000,
            Map.of(KafkaSubject.BARE, new Latency(1, 3), KafkaSubject.REDIS, new Latency(1, 5.9))));

    assertThat(report.addedMillis(1_000, KafkaSubject.REDIS).orElseThrow()).isEqualTo(2.9, EXACTLY);
    assertThat(report.addedMillis(1_000, KafkaSubject.BARE)).isEmpty();
    assertThat(report.addedMillis(10_000, KafkaSubject.REDIS)).isEmpty();
  }

  private static void put(
      Map<Contender, Spread> measured, Operation operation, Role role, int batch, double value) {
    Contender contender = new Contender(operation, role, batch, List::of, () -> messages -> {});
    measured.put(contender, new Spread(value, value, value));
  }
}
