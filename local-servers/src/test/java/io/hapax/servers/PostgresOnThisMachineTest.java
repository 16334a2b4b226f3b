package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresOnThisMachineTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, postgres-linux-x86_64.txz",
    "Linux, aarch64, postgres-linux-arm_64.txz",
    "Mac OS X, aarch64, postgres-darwin-arm_64.txz",
    "Mac OS X, x86_64, postgres-darwin-x86_64.txz"
  })
  void the_binaries_fit_the_machine(String system, String architecture, String archive) {
    assertThat(Binaries.postgres(system, architecture)).isEqualTo(archive);
  }

  @Test
  void a_machine_without_binaries_is_named() {
    assertThatThrownBy(() -> Binaries.postgres("Linux", "s390x"))
        .isInstanceOf(LocalServerException.class)
        .hasMessage("no PostgreSQL binaries for Linux on s390x");
  }

  @Test
  void a_namespace_is_preferred_and_without_any_way_the_error_has_a_remedy() {
    assertThat(PostgresUser.best(List.of(PostgresUser.NAMESPACE, PostgresUser.NOBODY)))
        .isEqualTo(PostgresUser.NAMESPACE);
    assertThatThrownBy(() -> PostgresUser.best(List.of()))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("refuses to run as root")
        .hasMessageEndingWith("run this as an ordinary user");
  }
}
