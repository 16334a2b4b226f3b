package io.hapax.internal.message;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage.GivenUp;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageStateTest {

  private static final Outcome DONE = new Outcome.Executed(7, 1);

  private final TestMessages messages = new TestMessages();
  private final InFlightMessage<String> message = messages.message("A");

  private void ask() {
    message.ask(new ClaimRequest(
        message.requiredKey(),
        new Nonce(1, 2),
        message.fingerprint,
        Origin.NONE,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME)));
  }

  private GivenUp acquire() {
    return message.answered(TestMessages.acquired(message, FIRST), 1000);
  }

  @Test
  void a_message_is_started_or_given_up_but_never_both() {
    assertThat(message.giveUp(Deferrals.ABANDONED)).isEqualTo(GivenUp.FINISH);
    assertThat(message.start()).isFalse();

    InFlightMessage<String> other = messages.message("B");
    assertThat(other.start()).isTrue();
    assertThat(other.giveUp(Deferrals.ABANDONED)).isEqualTo(GivenUp.NOTHING);
  }

  @Test
  void a_message_does_not_start_while_its_claim_is_in_flight() {
    ask();
    assertThat(message.start()).isFalse();

    acquire();

    assertThat(message.start()).isTrue();
  }

  @Test
  void a_message_that_holds_a_claim_gives_it_back_when_given_up() {
    acquire();

    assertThat(message.giveUp(Deferrals.ABANDONED)).isEqualTo(GivenUp.RELEASE);
    assertThat(message.giveUp(Deferrals.ABANDONED)).as("again").isEqualTo(GivenUp.NOTHING);
  }

  @Test
  void a_message_given_up_during_its_claim_finishes_with_the_answer() {
    ask();
    assertThat(message.giveUp(Deferrals.ABANDONED)).isEqualTo(GivenUp.NOTHING);

    assertThat(acquire()).isEqualTo(GivenUp.RELEASE);
    assertThat(message.answered(new ClaimAnswer.Busy(Duration.ZERO), 0)).isEqualTo(GivenUp.FINISH);
  }

  @Test
  void a_message_has_one_outcome() {
    assertThat(message.finish(DONE)).isTrue();
    assertThat(message.finish(Deferrals.FENCED)).isFalse();

    assertThat(message.outcome()).hasValue(DONE);
    assertThat(acquire()).as("a late answer").isEqualTo(GivenUp.NOTHING);
    assertThat(message.acquired()).isEmpty();
  }

  @Test
  void a_started_message_is_stranded_unless_its_settlement_is_queued() {
    assertThat(message.stranded()).as("waiting").isFalse();
    message.start();
    assertThat(message.stranded()).isTrue();

    message.settling();

    assertThat(message.stranded()).isFalse();
  }

  @Test
  void only_an_unfinished_claim_that_may_be_renewed_needs_renewal() {
    assertThat(message.needsRenewal()).as("without a claim").isFalse();
    acquire();
    assertThat(message.needsRenewal()).isTrue();
    message.lease.inTransaction(true);
    assertThat(message.needsRenewal()).as("in a transaction").isFalse();
    message.lease.inTransaction(false);

    message.finish(DONE);

    assertThat(message.needsRenewal()).as("finished").isFalse();
  }
}
