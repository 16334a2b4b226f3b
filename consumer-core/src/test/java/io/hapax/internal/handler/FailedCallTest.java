package io.hapax.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RolledBackException;
import org.junit.jupiter.api.Test;

class FailedCallTest {

  @Test
  void a_leased_call_is_in_doubt_unless_its_error_excludes_an_effect() {
    assertThat(FailedCall.leased(new IllegalStateException(), false).inDoubt()).isTrue();
    assertThat(FailedCall.leased(new NotAppliedException("nothing sent"), false).inDoubt())
        .isFalse();
  }

  @Test
  void the_cause_of_a_leased_call_that_rolled_back_decides_without_doubt() {
    Exception failure = new IllegalStateException();

    FailedCall call = FailedCall.leased(new RolledBackException(failure), true);

    assertThat(call).isEqualTo(new FailedCall(failure, false, true));
  }

  @Test
  void a_call_that_was_rolled_back_is_not_in_doubt() {
    assertThat(FailedCall.rolledBack(new IllegalStateException()).inDoubt()).isFalse();
  }
}
