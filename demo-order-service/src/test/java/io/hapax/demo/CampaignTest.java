package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.audit.AuditReport;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Small runs with a real broker, real consumer processes and a real SIGKILL. */
class CampaignTest extends SmallCampaigns {

  private static final Faults ONE_KILL = Faults.kills(1);

  @ParameterizedTest
  @CsvSource({"KAFKA, H2", "KAFKA, POSTGRES", "KAFKA, MARIADB", "ROCKETMQ, H2"})
  void a_killed_and_replayed_order_service_lets_each_order_take_effect_once(
      BrokerKind broker, StoreKind store) throws Exception {
    Figures figures = run(new DemoSettings(
        60, 0.5, 3, ONE_KILL, 1, Mode.TRANSACTIONAL, broker, false, store, 1, false));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().kills()).isEqualTo(1);
    assertThat(figures.damage().inFlightAtKills()).isPositive();
    assertThat(figures.verdict())
        .extracting(Verdict::effects, Verdict::once)
        .containsExactly(60, 60);
    assertThat(figures.damage().inDoubtAtKills()).isZero();
    assertThat(figures.deliveries()).isGreaterThanOrEqualTo(180);
    AuditReport audit = Objects.requireNonNull(figures.audit());
    assertThat(audit.messages()).isEqualTo(93);
    assertThat(audit.settled()).isTrue();
    assertThat(audit.ids().dead()).isEqualTo(2);
    assertThat(audit.missingIds()).isEqualTo(1);
    assertThat(figures.poisoned())
        .extracting(Figures.Poisoned::messages, Figures.Poisoned::deadLettered)
        .containsExactly(3, 3);
    assertThat(figures.poisoned().deadLetters()).as("one of them twice").isGreaterThanOrEqualTo(4);
    assertThat(figures.acknowledged().looks())
        .as("after each kill and each pass")
        .isEqualTo(1 + figures.damage().killsRepeated() + 2);
    assertThat(figures.acknowledged().messages()).as("all, twice").isGreaterThanOrEqualTo(186);
    assertThat(figures.acknowledged().premature()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void leased_no_order_is_lost_and_each_repeat_was_in_doubt_at_the_kill(StoreKind store)
      throws Exception {
    Figures figures = run(new DemoSettings(
        60, 0.5, 3, ONE_KILL, 1, Mode.LEASED, BrokerKind.KAFKA, false, store, 1, false));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().kills()).isEqualTo(1);
    assertThat(figures.verdict().none()).isZero();
    assertThat(figures.verdict().effects()).isBetween(60, 60 + figures.damage().inDoubtAtKills());
    assertThat(figures.deliveries()).isGreaterThanOrEqualTo(180);
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES, TRANSACTIONAL", "REDIS, LEASED"})
  void a_store_that_is_killed_and_started_again_costs_no_order_and_no_unexplained_repeat(
      StoreKind store, Mode mode) throws Exception {
    Figures figures = run(settings(new Faults(0, 0, 1, 0), mode, BrokerKind.KAFKA, store));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().storeRestarts()).isEqualTo(1);
    assertThat(figures.verdict().none()).isZero();
    assertThat(figures.verdict().effects())
        .isBetween(60, 60 + figures.damage().inDoubtAtRestarts());
  }
}
