package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.audit.AuditReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Small runs with a real broker, real consumer processes and a real SIGKILL; two at once, because
 * most of a run is waiting for dead members and leases.
 */
class CampaignTest {

  private static final Faults ONE_KILL = Faults.kills(1);

  @TempDir
  private Path folder;

  private final Progress silent =
      new Progress(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), 0);

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource({"KAFKA, H2", "KAFKA, POSTGRES", "KAFKA, MARIADB", "ROCKETMQ, H2"})
  void a_killed_and_replayed_order_service_lets_each_order_take_effect_once(
      BrokerKind broker, StoreKind store) throws Exception {
    Figures figures = run(
        new DemoSettings(60, 0.5, ONE_KILL, 1, Mode.TRANSACTIONAL, broker, false, store, 1, false));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().kills()).isEqualTo(1);
    assertThat(figures.damage().inFlightAtKills()).isPositive();
    assertThat(figures.verdict())
        .extracting(Verdict::effects, Verdict::once)
        .containsExactly(60, 60);
    assertThat(figures.damage().inDoubtAtKills()).isZero();
    assertThat(figures.deliveries()).isGreaterThanOrEqualTo(180);
    AuditReport audit = Objects.requireNonNull(figures.audit());
    assertThat(audit.messages()).isEqualTo(90);
    assertThat(audit.settled()).isTrue();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @EnumSource
  void leased_no_order_is_lost_and_each_repeat_was_in_doubt_at_the_kill(StoreKind store)
      throws Exception {
    Figures figures = run(new DemoSettings(
        60, 0.5, ONE_KILL, 1, Mode.LEASED, BrokerKind.KAFKA, false, store, 1, false));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().kills()).isEqualTo(1);
    assertThat(figures.verdict().none()).isZero();
    assertThat(figures.verdict().effects()).isBetween(60, 60 + figures.damage().inDoubtAtKills());
    assertThat(figures.deliveries()).isGreaterThanOrEqualTo(180);
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
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

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource({"KAFKA, POSTGRES, TRANSACTIONAL", "ROCKETMQ, REDIS, LEASED"})
  void a_consumer_that_was_stopped_until_another_took_over_repeats_nothing_unexplained(
      BrokerKind broker, StoreKind store, Mode mode) throws Exception {
    Figures figures = run(settings(new Faults(0, 1, 0, 0), mode, broker, store));

    assertThat(figures.faults()).isEmpty();
    assertThat(figures.damage().stops()).isEqualTo(1);
    assertThat(figures.damage().inFlightAtStops()).isPositive();
    assertThat(figures.verdict().none()).isZero();
    assertThat(figures.damage().slowestRecoverySeconds()).isPositive();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
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
  @Execution(ExecutionMode.CONCURRENT)
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

  private static DemoSettings settings(
      Faults faults, Mode mode, BrokerKind broker, StoreKind store) {
    return new DemoSettings(60, 0.5, faults, 0, mode, broker, false, store, 1, false);
  }

  private Figures run(DemoSettings settings) throws Exception {
    return new Campaign(settings, folder, silent).run();
  }
}
