package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnacquiredClaimsTest {

  private final TestSettling parts = new TestSettling(new TestSettings());
  private final UnacquiredClaims<String> unacquired =
      new UnacquiredClaims<>(parts.messages.events, parts.messages.outcomes, parts.conflicts);
  private final InFlightMessage<String> message = parts.messages.message("A");

  private Outcome finish(ClaimAnswer answer) {
    Optional<Deferred> stop = unacquired.finish(message, answer);
    Outcome outcome = message.outcome().orElseThrow();
    assertThat(stop.map(it -> (Outcome) it))
        .isEqualTo(Optional.of(outcome).filter(Deferred.class::isInstance));
    return outcome;
  }

  @Test
  void a_done_message_is_a_duplicate_with_the_stored_result() {
    Bytes result = Bytes.utf8("result");

    assertThat(finish(new ClaimAnswer.Done(result, Instant.EPOCH, false)))
        .isEqualTo(new Outcome.Duplicate(result));
  }

  @Test
  void a_done_mark_with_the_own_nonce_shows_that_the_commit_took_place() {
    assertThat(finish(new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, true)))
        .isEqualTo(Outcome.Executed.FOUND_BY_RESENDING);
  }

  @Test
  void a_dead_message_may_be_acknowledged() {
    assertThat(finish(new ClaimAnswer.Dead("no stock")))
        .isEqualTo(new Outcome.DeadLettered("no stock"));
  }

  @Test
  void a_busy_message_waits_for_what_is_left_of_the_lease() {
    Duration left = Duration.ofSeconds(20);

    assertThat(finish(new ClaimAnswer.Busy(left))).isEqualTo(new Deferred(Reason.BUSY, left, ""));
  }

  @Test
  void a_claim_that_was_too_late_is_sent_again_soon() {
    assertThat(finish(new ClaimAnswer.TooLate(Instant.EPOCH))).isEqualTo(BlockedLanes.SHORTLY);
  }

  @Test
  void an_unavailable_store_stops_the_lane() {
    assertThat(finish(new ClaimAnswer.Unavailable("shard 3")))
        .extracting("reason")
        .isEqualTo(Reason.STORE_UNAVAILABLE);
  }

  @Test
  void a_conflict_goes_to_its_policy() {
    assertThat(finish(new ClaimAnswer.Conflict(MarkState.DONE)))
        .extracting("detail")
        .asString()
        .contains("another payload is DONE under this id");
  }

  @Test
  void an_acquired_message_must_run() {
    assertThatThrownBy(
            () -> unacquired.finish(message, TestMessages.acquired(message, TestMessages.FIRST)))
        .isInstanceOf(IllegalStateException.class);
  }
}
