package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.chaos.Consumers.RecoveredOrder;
import io.hapax.chaos.FaultLog.Standstill;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.scene.SceneResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the violations of both guarantees: losses, marks in doubt, faults that a campaign did not
 * inject, and orders that overtook others of their customer.
 */
class CampaignVerdictTest extends VerdictFixture {

  private final Sequence sequence =
      new Sequence(List.of(order("a", "ann"), order("b", "bob"), order("c", "ann")));

  static Stream<Arguments> ledgers() {
    LedgerRow unknown = new LedgerRow("x", 1, 1, false, 100);
    LedgerRow poison = new LedgerRow("poison-1-0", 1, 1, false, 100);
    return Stream.of(
        arguments(List.of(FIRST, OTHER), List.of()),
        arguments(List.of(FIRST), List.of("b was lost: it has no effect")),
        arguments(
            List.of(FIRST, OTHER, unknown), List.of("x has an effect but was never published")),
        arguments(
            List.of(FIRST, OTHER, poison),
            List.of("poison-1-0 took effect although it is poison")));
  }

  @ParameterizedTest
  @MethodSource("ledgers")
  void an_order_takes_effect_if_and_only_if_it_was_published_in_both_modes(
      List<LedgerRow> ledger, List<String> violations) {
    for (Mode mode : Mode.values()) {
      CampaignVerdict verdict = judge(mode, ledger, List.of(), List.of());

      assertThat(verdict.violations()).isEqualTo(violations);
      assertThat(verdict.holds()).isEqualTo(violations.isEmpty());
      assertThat(verdict.none()).isEqualTo(ledger.contains(OTHER) ? 0 : 1);
    }
  }

  @Test
  void exactly_once_forgives_no_repeat() {
    Disruption beforeItsEffect = Disruption.stop(100, Set.of("a"), Set.of());
    for (List<Disruption> causes : List.of(List.<Disruption>of(), List.of(beforeItsEffect))) {
      CampaignVerdict verdict =
          judge(Mode.TRANSACTIONAL, List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), causes);

      assertThat(verdict.more()).isEqualTo(1);
      assertThat(verdict.violations()).containsExactly("a took effect 2 times");
    }
  }

  @Test
  void exactly_once_leaves_no_effect_in_doubt() {
    Disruption outage = Disruption.outage(100, Set.of("a"), Set.of("a"), false);

    assertThat(judge(Mode.TRANSACTIONAL, List.of(FIRST, OTHER), List.of(), List.of(KILL, outage))
            .violations())
        .containsExactly(
            "a had an effect but was not DONE when consumer 100 was killed",
            "a had an effect but was not DONE when the store of consumer 100 was killed");
  }

  private static Optional<RecoveredOrder> doneAfter(Duration time) {
    return Optional.of(
        new RecoveredOrder("a", Disruption.kill(1, Set.of("a"), Set.of(), false), 3, time));
  }

  @Test
  void a_recovery_that_takes_longer_than_it_may_is_a_violation() {
    Duration bound = Duration.ofSeconds(16);

    assertThat(HOLDS.withRecovery(Optional.empty(), bound).holds()).isTrue();
    assertThat(HOLDS.withRecovery(doneAfter(bound), bound).holds()).isTrue();
    assertThat(HOLDS.withRecovery(doneAfter(bound.plusMillis(1)), bound).violations())
        .containsExactly("a was in flight when consumer 1 was killed; consumer 3 completed it after"
            + " 16.0 s, and 16000 ms are allowed");
  }

  @Test
  void a_standstill_beyond_its_limit_is_a_violation() {
    Duration bound = Duration.ofSeconds(16);

    assertThat(HOLDS
            .withStandstill(new Standstill("store restart 2", bound), bound)
            .holds())
        .isTrue();
    assertThat(HOLDS
            .withStandstill(new Standstill("store restart 2", bound.plusMillis(1)), bound)
            .violations())
        .containsExactly(
            "nothing was settled for 16001 ms after store restart 2, but 16000 ms are allowed");
  }

  @Test
  void a_requested_fault_that_hit_nothing_is_a_violation() {
    assertThat(HOLDS.withMissing("kills", 2, 2).holds()).isTrue();
    assertThat(HOLDS.withMissing("kills", 3, 2).violations())
        .containsExactly("1 of 3 kills hit nothing");
  }

  @Test
  void an_outcome_that_was_reported_before_its_mark_was_done_is_a_violation() {
    Disruption tooSoon = Disruption.kill(100, Set.of(), Set.of("a"), false);

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(tooSoon))
            .violations())
        .containsExactly(
            "a was not DONE when consumer 100 was killed, although its outcome had been reported");
  }

  @Test
  void more_effects_in_doubt_than_one_round_trip_explains_are_a_violation() {
    Set<String> most = numbers(Repeats.MAX_IN_DOUBT);
    Set<String> tooMany = numbers(Repeats.MAX_IN_DOUBT + 1);

    assertThat(leased(
                List.of(FIRST, OTHER), List.of(), List.of(Disruption.kill(100, most, most, false)))
            .violations())
        .isEmpty();
    assertThat(leased(
                List.of(FIRST, OTHER),
                List.of(),
                List.of(Disruption.kill(100, tooMany, tooMany, false)))
            .violations())
        .singleElement()
        .asString()
        .startsWith("49 effects were in doubt when consumer 100 was killed");
    assertThat(leased(
                List.of(FIRST, OTHER),
                List.of(),
                List.of(Disruption.kill(100, tooMany, Set.of(), true)))
            .violations())
        .as("all of them may repeat")
        .hasSize(1);
  }

  @Test
  void a_verdict_falls_at_lag_0_or_not_at_all() {
    assertThat(HOLDS.atLag(0).holds()).isTrue();
    assertThat(HOLDS.atLag(3).violations()).containsExactly("3 messages were not consumed yet");
  }

  @Test
  void ledger_and_inventory_must_agree() {
    assertThat(HOLDS.withStock(7, 7).holds()).isTrue();
    assertThat(HOLDS.withStock(7, 9).violations())
        .containsExactly("the ledger accounts for 7 pieces, but 9 were taken from stock");
  }

  private static Set<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.toSet());
  }

  @Test
  void a_failed_scene_is_a_violation() {
    SceneResult passed = new SceneResult(1, 1, List.of());
    SceneResult failed = new SceneResult(1, 2, List.of("p took effect 2 times"));

    assertThat(HOLDS.withScenes(Map.of("slow SMS", passed)).holds()).isTrue();
    assertThat(HOLDS.withScenes(Map.of("slow SMS", failed)).violations())
        .containsExactly("scene \"slow SMS\": p took effect 2 times");
  }

  @Test
  void orders_of_different_customers_may_overtake_each_other() {
    assertThat(sequence.broken(ledger("b", "a", "c"))).isEmpty();
  }

  @Test
  void an_order_overtaken_by_one_of_the_same_customer_is_a_violation() {
    assertThat(sequence.broken(ledger("c", "b", "a")))
        .containsExactly("a took effect after c, which ann ordered later");
  }

  @Test
  void a_repeat_counts_where_it_took_effect_first() {
    assertThat(sequence.broken(ledger("a", "b", "c", "a"))).isEmpty();
  }

  @Test
  void what_was_never_published_is_not_judged() {
    assertThat(sequence.broken(ledger("c", "x"))).isEmpty();
  }

  private static Order order(String id, String customer) {
    return new Order(id, customer, List.of(), 1);
  }

  private static List<LedgerRow> ledger(String... orders) {
    return Arrays.stream(orders).map(id -> new LedgerRow(id, 1, 1, false, 1)).toList();
  }
}
