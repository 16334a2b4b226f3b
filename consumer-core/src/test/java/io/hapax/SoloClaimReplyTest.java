package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A suspect whose claim is answered, but the answer does not arrive. */
class SoloClaimReplyTest extends FaultFixture {

  private static boolean solo(String verb, List<?> items) {
    return verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo();
  }

  private void deliverFourTimes(Fault fault) throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(fault), delivery -> effects.add(delivery.message())));
    for (int i = 0; i < 5 && effects.isEmpty() && buried.isEmpty(); i++) {
      receiver.receive(lane("p0", "a"), PATIENCE);
      clock.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  @DisplayName("invariants 6 and 10: lost replies of solo claims use up no attempt")
  void lost_replies_to_claims_do_not_dead_letter_a_message_that_never_ran() throws Exception {
    lost(false, "a");
    int[] replies = {0};

    deliverFourTimes((verb, items, call) -> {
      Object answers = call.go();
      if (solo(verb, items) && replies[0]++ < 4) {
        throw new StoreException("the reply was lost");
      }
      return answers;
    });

    assertThat(buried).as("dead letters of a message that never ran").isEmpty();
  }

  @Test
  @DisplayName("invariants 6 and 10: a solo claim answered Unavailable is sent again as it was")
  void a_message_is_not_dead_lettered_unrun_because_its_shard_did_not_answer() throws Exception {
    lost(false, "a");
    int[] replies = {0};

    deliverFourTimes((verb, items, call) -> {
      Object answers = call.go();
      return solo(verb, items) && replies[0]++ < 4
          ? List.of(new ClaimAnswer.Unavailable("the shard's reply was lost"))
          : answers;
    });

    assertThat(buried).as("dead letters of a message that never ran").isEmpty();
  }

  @Test
  @DisplayName("invariant 10: a suspect whose claim came too late is claimed alone again")
  void a_solo_claim_that_came_too_late_stays_solo() throws Exception {
    lost(false, "a");
    int[] claims = {0};
    Fault late = (verb, items, call) -> {
      if (solo(verb, items) && claims[0]++ == 0) {
        clock.advance(Duration.ofMinutes(1));
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(late), delivery -> {}));

    assertThat(receiver.receive(lane("p0", "a"), PATIENCE))
        .allMatch(Outcome.Executed.class::isInstance);
    assertThat(claims).containsExactly(2);
  }
}
