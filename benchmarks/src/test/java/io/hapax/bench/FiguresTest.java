package io.hapax.bench;

import static io.hapax.bench.Figures.rate;
import static io.hapax.bench.Figures.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.hapax.bench.EngineSubject.Cost;
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
  void ratios_are_those_to_the_floor_and_to_the_limit() {
    Row row = row(StoreKind.REDIS, Operation.FRESH, 1, 90_000, 10_000, 150_000);

    assertThat(row.timesFloor()).hasValue(9.0);
    assertThat(row.ofLimit()).hasValue(0.6);
  }

  @Test
  void a_row_has_the_floor_of_its_operation_and_the_limit_of_its_batch_too() {
    Map<Contender, Measurement> measurements = new LinkedHashMap<>();
    put(measurements, Operation.FRESH, Role.FLOOR, 1, 10);
    put(measurements, Operation.RUN_ONCE, Role.FLOOR, 1, 20);
    for (int batch : List.of(1, 500)) {
      put(measurements, Operation.RUN_ONCE, Role.HAPAX, batch, 100 * batch);
      put(measurements, Operation.RUN_ONCE, Role.LIMIT, batch, 200 * batch);
      put(measurements, Operation.FRESH, Role.LIMIT, batch, 1);
    }

    List<Row> rows = Row.of(StoreKind.H2, 7, 3, measurements);

    assertThat(rows).extracting(Row::batch).containsExactly(1, 500);
    assertThat(rows).allSatisfy(row -> assertThat(row.ofLimit()).hasValue(0.5));
    assertThat(rows.get(1).timesFloor()).hasValue(2500.0);
    assertThat(rows).allSatisfy(row -> {
      assertThat(row.marks()).isEqualTo(7);
      assertThat(row.threads()).isEqualTo(3);
    });
  }

  @Test
  void an_aim_is_reached_at_its_value_and_missed_below() {
    List<Aim> aims = Aim.of(List.of(
        row(StoreKind.REDIS, Operation.FRESH, 1, 80, 10, 100),
        row(StoreKind.REDIS, Operation.FRESH, 8, 54, 27, 100),
        row(StoreKind.POSTGRES, Operation.RUN_ONCE, 1, 59, 4, 100),
        row(StoreKind.POSTGRES, Operation.RUN_ONCE, 8, 60, 6, 100)));

    assertThat(aims)
        .extracting(Aim::aim, Aim::reached)
        .containsExactly(
            tuple(0.55, true),
            tuple(8.0, true),
            tuple(0.55, false),
            tuple(2.0, true),
            tuple(0.6, false),
            tuple(15.0, false),
            tuple(0.6, true),
            tuple(15.0, false));
  }

  @Test
  void a_known_id_is_compared_with_a_fresh_claim_in_the_same_situation() {
    List<Aim> aims = Aim.of(List.of(
        row(StoreKind.MARIADB, Operation.CLAIM, 1, 100),
        row(StoreKind.MARIADB, Operation.CLAIM, 8, 1),
        row(StoreKind.MARIADB, Operation.KNOWN, 1, 90)));

    assertThat(aims).hasSize(1);
    assertThat(aims.get(0).value()).isEqualTo(0.9, EXACTLY);
    assertThat(aims.get(0).reached()).isFalse();
  }

  @Test
  void an_engine_costs_what_is_left_when_the_store_is_taken_off() {
    Cost engine = new Cost(900, 800, 700).minus(new Cost(300, 200, 100));

    assertThat(engine).isEqualTo(new Cost(600, 600, 600));
  }

  private static void put(
      Map<Contender, Measurement> measurements,
      Operation operation,
      Role role,
      int batch,
      double value) {
    Contender contender = new Contender(operation, role, batch, () -> {
      throw new AssertionError("nothing is run here");
    });
    measurements.put(contender, rate(value));
  }
}
