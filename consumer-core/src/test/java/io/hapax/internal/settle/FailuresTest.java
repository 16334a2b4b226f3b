package io.hapax.internal.settle;

import static io.hapax.internal.settle.TestSettling.attempt;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.Failures.Decision;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailuresTest {

  private final Exception failure = new IllegalStateException("no stock");
  private final FailedCall withoutEffect = FailedCall.rolledBack(failure);
  private final FailedCall inDoubt = FailedCall.leased(failure, false);

  private final List<DeadLetter<String>> buried = new ArrayList<>();
  private final TestSettings settings = new TestSettings();

  @BeforeEach
  void bury() {
    settings.deadLetters = Optional.of(buried::add);
  }

  private Decision decide(int attempt, FailedCall call) {
    TestSettling parts = new TestSettling(settings);
    InFlightMessage<String> message = parts.messages.message("A");
    return parts.failures.decide(message, attempt(message, attempt, false), call);
  }

  private Decision retried(int minutes, boolean doubtful) {
    Duration wait = Duration.ofMinutes(minutes);
    return new Decision(
        new Verdict.Retry(wait, doubtful), new Deferred(Reason.RETRY, wait, failure.toString()));
  }

  private void assertBuried(Decision decision, DeadLetter.Kind kind) {
    assertThat(decision.verdict()).isInstanceOf(Verdict.Dead.class);
    assertThat(decision.deferral()).isEmpty();
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(kind);
  }

  @Test
  void a_failed_attempt_is_retried_after_a_backoff_that_doubles() {
    assertThat(decide(1, withoutEffect)).isEqualTo(retried(1, false));
    assertThat(decide(2, withoutEffect)).isEqualTo(retried(2, false));
  }

  @Test
  void a_call_that_may_have_taken_effect_leaves_the_mark_in_doubt() {
    assertThat(decide(1, inDoubt)).isEqualTo(retried(1, true));
  }

  @Test
  void the_last_attempt_is_dead_lettered() {
    assertBuried(decide(3, withoutEffect), DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
  }

  @Test
  void a_message_in_doubt_is_dead_lettered_at_once_by_policy() {
    settings.onUnknownOutcome = UnknownOutcomePolicy.deadLetter();

    assertBuried(decide(1, inDoubt), DeadLetter.Kind.IN_DOUBT);
  }

  @Test
  void a_probe_is_called_also_after_the_last_attempt() {
    settings.onUnknownOutcome = UnknownOutcomePolicy.probe(delivery -> Answer.unknown("?"));

    assertThat(decide(3, inDoubt).verdict()).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void a_rejected_message_is_dead_lettered_unless_others_shared_its_call() {
    Exception rejected = new RejectedMessageException("malformed");

    assertThat(decide(1, FailedCall.leased(rejected, true)).verdict())
        .isInstanceOf(Verdict.Retry.class);
    assertBuried(decide(1, FailedCall.rolledBack(rejected)), DeadLetter.Kind.NOT_RETRYABLE);
  }

  @Test
  void an_error_that_the_user_calls_permanent_is_not_retried() {
    settings.notRetryable = IllegalStateException.class::isInstance;

    assertBuried(decide(1, withoutEffect), DeadLetter.Kind.NOT_RETRYABLE);
  }

  @Test
  void a_deferral_uses_no_attempt_until_its_maximum() {
    Duration day = Duration.ofDays(1);

    assertThat(decide(3, FailedCall.rolledBack(new DeferredException(day))).verdict())
        .isEqualTo(new Verdict.Defer(day));
    assertThat(decide(1, FailedCall.rolledBack(new DeferredException(day.plusNanos(1))))
            .verdict())
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void a_message_keeps_its_mark_while_its_record_is_not_accepted() {
    settings.deadLetters = Optional.empty();

    Decision decision = decide(3, withoutEffect);

    assertThat(decision.verdict()).isInstanceOf(Verdict.Retry.class);
    assertThat(decision.deferral().map(Deferred::reason)).hasValue(Reason.DEAD_LETTER_FAILED);
  }

  @Test
  void an_attempt_past_the_maximum_is_dead_lettered_without_running() {
    TestSettling parts = new TestSettling(settings);
    InFlightMessage<String> message = parts.messages.message("A");

    assertThat(parts.failures.withoutRunning(message, attempt(message, 3, false)))
        .isEmpty();
    assertThat(parts.failures.withoutRunning(message, attempt(message, 4, false)))
        .hasValueSatisfying(it -> assertBuried(it, DeadLetter.Kind.ATTEMPTS_EXHAUSTED));
    assertThat(buried.get(0).attempts()).isEqualTo(3);
  }
}
