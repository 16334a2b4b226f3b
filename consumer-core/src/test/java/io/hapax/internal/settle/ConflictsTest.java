package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.ConflictPolicy.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConflictsTest {

  private final List<DeadLetter<String>> buried = new ArrayList<>();
  private final TestSettings settings = new TestSettings();

  private TestSettling parts(Optional<ConflictPolicy<String>> policy) {
    settings.deadLetters = Optional.of(buried::add);
    settings.conflicts = policy;
    return new TestSettling(settings);
  }

  private static Outcome finish(TestSettling parts) {
    InFlightMessage<String> message = parts.messages.message("A=2");
    Optional<Deferred> stop = parts.conflicts.finish(message, "another payload");
    Outcome outcome = message.outcome().orElseThrow();
    assertThat(stop.isPresent()).isEqualTo(outcome instanceof Deferred);
    return outcome;
  }

  @Test
  void a_conflict_is_dead_lettered_by_default() {
    assertThat(finish(parts(Optional.empty()))).isInstanceOf(Outcome.DeadLettered.class);

    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.CONFLICT);
  }

  @Test
  void the_policy_may_drop_it() {
    assertThat(finish(parts(Optional.of(conflict -> Decision.DROP))))
        .isEqualTo(new Outcome.Dropped("another payload"));

    assertThat(buried).isEmpty();
  }

  @Test
  void the_policy_may_stop_the_lane() {
    TestSettling parts = parts(Optional.of(conflict -> Decision.FAIL));

    assertThat(finish(parts))
        .isEqualTo(new Deferred(Reason.CONFLICT, settings.retry.maxBackoff(), "another payload"));
    assertThat(parts.messages.problems()).containsExactly(Problem.Kind.MESSAGE_BLOCKED);
  }

  @Test
  void a_policy_that_throws_is_called_again_after_the_first_backoff() {
    TestSettling parts = parts(Optional.of(conflict -> {
      throw new IllegalStateException("no answer");
    }));

    Deferred stop = (Deferred) finish(parts);

    assertThat(stop.after()).isEqualTo(settings.retry.firstBackoff());
    assertThat(stop.detail()).contains("the policy threw");
  }
}
