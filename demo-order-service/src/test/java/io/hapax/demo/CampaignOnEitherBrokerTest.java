package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What else may happen, on either broker. In a class of its own, so that its runs wait beside those
 * of {@link CampaignTest}, in another JVM.
 */
class CampaignOnEitherBrokerTest extends SmallCampaigns {

  @ParameterizedTest
  @CsvSource({"KAFKA, POSTGRES, TRANSACTIONAL", "ROCKETMQ, REDIS, LEASED"})
  void a_consumer_that_was_stopped_until_another_took_over_repeats_nothing_unexplained(
      BrokerKind broker, StoreKind store, Mode mode) throws Exception {
    Figures figures = run(settings(new Faults(0, 1, 0, 0), mode, broker, store));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().stops()).isEqualTo(1);
    assertThat(figures.damage().inFlightAtStops()).isPositive();
    assertThat(figures.verdict().none()).isZero();
    assertThat(figures.damage().slowestRecoveryTime()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void a_broker_that_is_killed_and_started_again_costs_no_order_and_no_repeat(BrokerKind broker)
      throws Exception {
    Figures figures =
        run(settings(new Faults(0, 0, 0, 1), Mode.TRANSACTIONAL, broker, StoreKind.H2));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().brokerRestarts()).isEqualTo(1);
    assertThat(figures.verdict().once()).isEqualTo(60);
  }

  @ParameterizedTest
  @EnumSource
  void the_ledger_shows_what_a_naive_consumer_repeats_and_the_exit_code_is_1(BrokerKind broker) {
    StringWriter output = new StringWriter();

    int exitCode = DemoCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute("--naive", "--broker=" + broker, "--orders=60", "--duplicates=0", "--replays=0");

    assertThat(exitCode).isEqualTo(1);
    assertThat(output.toString())
        .containsPattern("orders with 0 effects +0\n")
        .containsPattern("orders with more effects +[1-9]")
        .containsPattern("FAILED: [1-9]\\d* faults?\n  order-1-\\d+ took effect \\d times");
  }
}
