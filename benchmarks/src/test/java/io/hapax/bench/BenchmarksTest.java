package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.bench.Contender.Operation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on real servers in this JVM, without a check of the speed. */
@Timeout(300)
class BenchmarksTest {

  private static final String SHORT = " --seconds=0.5 --warm-ups=0 --rounds=1";

  @Test
  void every_figure_of_the_engine_is_in_the_table() {
    String report = run("engine --batch=50 --messages=520 --rounds=2");

    assertThat(report).contains("a message of 50 at once", "ns of CPU");
    for (EngineRounds.Subject subject : EngineRounds.Subject.values()) {
      assertThat(report).containsPattern("\n" + subject.title() + "( +[1-9][0-9]*){3}\n");
    }
    assertThat(report).containsPattern("\nthe engine: a handler for many( +-?[0-9]+){3}\n");
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void every_case_of_a_store_is_in_the_table(StoreKind store) {
    String report = run("stores --rounds=1 --round-millis=1 --batch=1,20 --threads=1,2"
        + " --marks=0,12000 --profile --store=" + store);

    assertThat(report)
        .containsPattern("\n  " + store + ": \\S")
        .contains(" 1 at once", "20 at once", "Profile: " + store + ", hapax of claim + settle");
    for (Operation operation : operations(store)) {
      boolean beside = store != StoreKind.MEMORY
          && (operation == Operation.FRESH || operation == Operation.RUN_ONCE);
      assertThat(lines(report, store, operation, beside)).as(operation.name()).hasSize(4);
    }
  }

  @Test
  void a_requested_but_unmeasured_case_is_reported_with_its_reason() {
    String report = run("stores --rounds=1 --round-millis=1 --store=memory,h2 --batch=1 --threads=1"
        + " --marks=2000000");

    assertThat(report)
        .contains("left out: memory with 2,000,000 marks: ", "left out: h2 with 2,000,000 marks: ");
  }

  @Tag("nightly")
  @Test
  void every_consumer_of_kafka_is_measured_beside_a_bare_loop_and_what_it_builds_on() {
    String report = run("kafka --records=1000 --poll=50 --latency=100" + SHORT);

    assertThat(report)
        .contains("1,000 records of 200 bytes in 4 partitions, max.poll.records 50")
        .containsPattern("bare poll loop +[1-9][0-9,]* +0 % +100 %")
        .containsPattern("KafkaReceiver, marks in memory +100 +[0-9.]+ +[0-9.]+ +-?[0-9.]+\n");
    assertThatEachHasItsRate(report, KafkaSubject.values());
  }

  @Tag("nightly")
  @Test
  void every_listener_of_spring_is_measured_beside_its_baseline() {
    String report = run("spring --messages=2000" + SHORT);

    assertThat(report).containsPattern("@Idempotent, transactional +[1-9][0-9,]* +0 % +[0-9.]+\n");
    assertThatEachHasItsRate(report, SpringListeners.Subject.values());
  }

  @Tag("nightly")
  @Test
  void every_listener_of_rocketmq_is_measured_concurrently_and_orderly() {
    String report = run("rocketmq --messages=400 --queues=2 --batch=4 --profile" + SHORT);

    for (String situation : List.of("concurrently, batches of 4", "orderly, batches of 4")) {
      assertThatEachHasItsRate(
          report.substring(report.indexOf("\n" + situation + "\n")),
          RocketMqCommand.Subject.values());
    }
    assertThat(report)
        .containsPattern("bare listener +[1-9][0-9,]* +0 % +100 %")
        .contains("Profile: Hapax, leased in Redis, orderly, batches of 4", "us a message");
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(names = {"REDIS", "POSTGRES"})
  void a_topic_is_audited_beside_a_bare_loop(StoreKind store) {
    assertThat(run("audit --records=2500 --rounds=1 --store=" + store))
        .contains("2,500 records, marks in " + store)
        .containsPattern("bare poll loop +[1-9][0-9,]* records/s")
        .containsPattern("audit +[1-9][0-9,]* records/s, [0-9.]+ of the bare loop");
  }

  /** Returns the report of a run that must succeed. */
  private static String run(String options) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .setErr(new PrintWriter(errors, true))
        .execute(options.split(" "));
    assertThat(code).as(errors.toString()).isZero();
    return output.toString();
  }

  private static void assertThatEachHasItsRate(String table, RateTable.Subject... subjects) {
    for (RateTable.Subject subject : subjects) {
      assertThat(table)
          .containsPattern(Pattern.quote(subject.title()) + " +[1-9][0-9,]* +[0-9]+ %");
    }
  }

  /** Returns the lines of an operation with a rate for each batch, and floor and limit if due. */
  private static List<String> lines(
      String report, StoreKind store, Operation operation, boolean beside) {
    String line = "\n" + store + " +" + Pattern.quote(operation.title())
        + " +(0|12,000) +[12]( +[1-9][0-9,]*){2} +[0-9]+%"
        + (beside ? "( +[1-9][0-9,]*){2} +[0-9.]+ +[0-9]+ %" : " *") + "(?=\n)";
    return Pattern.compile(line)
        .matcher(report)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static List<Operation> operations(StoreKind store) {
    return switch (store) {
      case REDIS, COMPACT, MEMORY -> List.of(Operation.FRESH, Operation.CLAIM, Operation.KNOWN);
      case POSTGRES, MARIADB, H2 -> List.of(Operation.values());
    };
  }
}
