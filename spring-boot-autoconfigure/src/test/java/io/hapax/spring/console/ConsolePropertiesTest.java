package io.hapax.spring.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConsolePropertiesTest {

  private static final String LOG = "/var/log/{consumer}.jsonl";

  @Test
  void writes_need_a_role_and_a_log() {
    assertRefused(null, LOG, "hapax.console.role is null but must be set");
    assertRefused(" ", LOG, "hapax.console.role is   but must be set");
    assertRefused("operator", null, "hapax.console.action-log is not set but must be set");
    assertThat(new ConsoleProperties(true, true, "operator", LOG).actionLog()).isEqualTo(LOG);
    assertThat(new ConsoleProperties(true, false, null, null).allowWrites()).isFalse();
  }

  @Test
  void consumers_have_a_log_each() {
    assertRefused("operator", "/var/log/x", "is /var/log/x but must contain {consumer}");
  }

  private static void assertRefused(@Nullable String role, @Nullable String log, String message) {
    assertThatThrownBy(() -> new ConsoleProperties(true, true, role, log))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
