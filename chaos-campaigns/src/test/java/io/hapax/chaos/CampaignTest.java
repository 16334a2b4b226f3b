package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.BrokerKind;
import io.hapax.operations.audit.AuditReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small runs with a real broker, real consumer processes and a real SIGKILL. Other stores, modes
 * and faults on either broker are run by {@code .ci/nightly} and {@code .ci/campaign}.
 */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class CampaignTest {

  @TempDir
  private Path folder;

  private Report run(String options) throws Exception {
    ChaosSettings settings =
        ChaosCommandTest.settings("--orders 60 --duplicates 0.5 --poison 3 --no-scenes " + options);
    return Campaign.run(settings, Optional.empty(), folder, step -> {});
  }

  @ParameterizedTest
  @CsvSource({"KAFKA, POSTGRES", "ROCKETMQ, H2"})
  void a_killed_and_replayed_order_service_lets_each_order_take_effect_once(
      BrokerKind broker, CampaignStore store) throws Exception {
    Report report = run("--broker " + broker + " --store " + store);

    assertThat(report.verdict().violations()).isEmpty();
    assertThat(report.faults().hits(FaultKind.KILL)).isEqualTo(1);
    assertThat(report.faults().inFlightAt(FaultKind.KILL)).isPositive();
    assertThat(report.verdict())
        .extracting(CampaignVerdict::effects, CampaignVerdict::once)
        .containsExactly(60, 60);
    assertThat(report.faults().inDoubtAt(FaultKind.KILL)).isZero();
    assertThat(report.deliveries()).isGreaterThanOrEqualTo(180);
    AuditReport audit = Objects.requireNonNull(report.audit());
    assertThat(audit.messages()).isEqualTo(93);
    assertThat(audit.settled()).isTrue();
    assertThat(audit.ids().dead()).isEqualTo(2);
    assertThat(audit.missingIds()).isEqualTo(1);
    assertThat(report.poisoned())
        .extracting(Report.Poisoned::messages, Report.Poisoned::deadLettered)
        .containsExactly(3, 3);
    assertThat(report.poisoned().deadLetters()).as("one of them twice").isGreaterThanOrEqualTo(4);
    assertThat(report.acknowledged().checks())
        .as("after each kill and each pass")
        .isEqualTo(1 + report.faults().killsRepeated + 2);
    assertThat(report.acknowledged().messages()).as("all, twice").isGreaterThanOrEqualTo(186);
    assertThat(report.acknowledged().premature()).isZero();
  }

  @Test
  void leased_no_order_is_lost_and_each_repeat_was_in_doubt_at_the_kill() throws Exception {
    Report report = run("--mode leased");

    assertThat(report.verdict().violations()).isEmpty();
    assertThat(report.faults().hits(FaultKind.KILL)).isEqualTo(1);
    assertThat(report.verdict().none()).isZero();
    assertThat(report.verdict().effects())
        .isBetween(60, 60 + report.faults().inDoubtAt(FaultKind.KILL));
    assertThat(report.deliveries()).isGreaterThanOrEqualTo(180);
  }

  @Test
  void a_store_restart_costs_no_order_and_no_unexplained_repeat() throws Exception {
    Report report = run("--kills 0 --store-restarts 1 --replays 0 --store redis");

    assertThat(report.verdict().violations()).isEmpty();
    assertThat(report.faults().hits(FaultKind.STORE_RESTART)).isEqualTo(1);
    assertThat(report.verdict().none()).isZero();
    assertThat(report.verdict().effects())
        .isBetween(60, 60 + report.faults().inDoubtAt(FaultKind.STORE_RESTART));
  }

  @Test
  void the_ledger_shows_what_a_naive_consumer_repeats_and_the_exit_code_is_1() {
    StringWriter output = new StringWriter();

    int exitCode = ChaosCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute("--naive", "--orders=60", "--duplicates=0", "--replays=0", "--no-scenes");

    assertThat(exitCode).isEqualTo(1);
    assertThat(output.toString())
        .containsPattern("orders with 0 effects +0\n")
        .containsPattern("orders with more effects +[1-9]")
        .containsPattern("FAILED: [1-9]\\d* violations?\n  order-1-\\d+ took effect \\d times");
  }
}
