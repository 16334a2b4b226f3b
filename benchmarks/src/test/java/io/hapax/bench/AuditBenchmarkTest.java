package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on real servers, without a check of the speed. */
@Tag("nightly")
@Timeout(180)
class AuditBenchmarkTest {

  @ParameterizedTest
  @EnumSource(names = {"REDIS", "POSTGRES"})
  void a_topic_is_audited_beside_a_bare_loop(StoreKind store) {
    assertThat(Bench.run("audit", "--records=2500", "--rounds=1", "--store=" + store))
        .contains("2,500 records, marks in " + store)
        .containsPattern("bare poll loop +[1-9][0-9,]* records/s")
        .containsPattern("audit +[1-9][0-9,]* records/s, [0-9.]+ of the bare loop");
  }
}
