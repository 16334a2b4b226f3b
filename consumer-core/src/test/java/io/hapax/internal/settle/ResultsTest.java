package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final TestSettings settings = new TestSettings();

  @Test
  void a_result_is_kept_as_a_whole_up_to_its_limit() {
    settings.resultLimit = 3;
    TestSettling parts = new TestSettling(settings);
    InFlightMessage<String> message = parts.messages.message("A");

    assertThat(parts.results.kept(message, Bytes.utf8("abc"))).isEqualTo(Bytes.utf8("abc"));
    assertThat(parts.results.kept(message, Bytes.utf8("abcd"))).isEqualTo(Bytes.EMPTY);
  }
}
