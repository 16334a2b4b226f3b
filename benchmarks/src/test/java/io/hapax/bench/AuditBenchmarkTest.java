package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on real servers, without a check of the speed. */
@Tag("nightly")
@Timeout(180)
class AuditBenchmarkTest {

  private final StringWriter output = new StringWriter();

  @ParameterizedTest
  @EnumSource
  void a_topic_is_audited_beside_a_bare_loop_and_held_against_the_aim(AuditCommand.Marks store) {
    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute("audit", "--records=2500", "--rounds=1", "--store=" + store);

    assertThat(code).isZero();
    assertThat(output.toString())
        .contains("2,500 records, marks in " + store.name().toLowerCase(Locale.ROOT))
        .containsPattern("bare poll loop +[1-9][0-9,]* records/s")
        .containsPattern("audit +[1-9][0-9,]* records/s, [0-9.]+ of the bare loop, aim 150,000");
  }
}
