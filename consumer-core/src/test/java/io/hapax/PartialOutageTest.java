package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks a receiver on a store of several shards when one of them is unavailable. */
class PartialOutageTest extends FaultFixture {

  private volatile boolean away = true;

  @Test
  @DisplayName("invariant 16: a claim is not kept unstarted because another lane's shard is away")
  void a_lane_whose_shard_answers_runs_while_another_shard_is_away() throws Exception {
    Fault shard = (verb, items, call) -> {
      Object answers = call.go();
      if (!verb.equals("claim") || !away) {
        return answers;
      }
      List<Object> some = new ArrayList<>();
      for (int i = 0; i < items.size(); i++) {
        boolean lost = ((ClaimRequest) items.get(i)).key().equals(key("b"));
        some.add(lost ? new ClaimAnswer.Unavailable("shard 2") : ((List<?>) answers).get(i));
      }
      return some;
    };
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(shard), delivery -> effects.add(delivery.message())));
    Outcomes outcomes = new Outcomes(2);

    Submission submission = receiver.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    boolean ran = outcomes.awaitFirst();
    away = false;
    submission.await(PATIENCE);

    assertThat(ran)
        .as("the message of the healthy shard was executed during the outage")
        .isTrue();
  }
}
