package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One shard of the store is away. */
class PartialOutageTest extends FaultFixture {

  @Test
  @DisplayName("invariant 16: a claim is not kept unstarted because another lane's shard is away")
  void a_lane_whose_shard_answers_runs_while_another_shard_is_away() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    Fault shard = (verb, items, call) -> {
      Object answers = call.go();
      if (!verb.equals("claim") || !away.get()) {
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
    away.set(false);
    submission.await(PATIENCE);

    assertThat(ran)
        .as("the message of the healthy shard was executed during the outage")
        .isTrue();
  }

  @Test
  @DisplayName("invariant 6: every claim that may open something carries a limit in time")
  void a_conflict_at_the_head_of_the_first_poll_takes_no_limit_from_the_others() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "a=1"), PATIENCE);
    List<ClaimRequest> sent = new CopyOnWriteArrayList<>();
    Fault watching = (verb, items, call) -> {
      if (verb.equals("claim")) {
        items.forEach(item -> sent.add((ClaimRequest) item));
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(watching), delivery -> {}));

    receiver.receive(lane("p0", "a=2", "b=1"), PATIENCE);

    assertThat(sent)
        .filteredOn(request -> request.key().equals(key("b")))
        .noneMatch(request -> request.terms().notAfter().equals(ClaimTerms.ANY_TIME));
  }

  @Test
  @DisplayName("invariant 6: a claim may be executed as long as it could still be used, no longer")
  void a_claim_is_limited_to_its_lease_less_the_margin() throws Exception {
    List<ClaimRequest> sent = new CopyOnWriteArrayList<>();
    Fault watching = (verb, items, call) -> {
      if (verb.equals("claim")) {
        items.forEach(item -> sent.add((ClaimRequest) item));
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(watching), delivery -> {}));

    Instant begin = clock.instant();
    receiver.receive(lane("p0", "a"), PATIENCE);
    Instant end = clock.instant();

    LeaseSettings lease = LeaseSettings.DEFAULT;
    Duration estimatedTooHighAtMost = Duration.between(begin, end);
    assertThat(sent.get(sent.size() - 1).terms().notAfter())
        .isBeforeOrEqualTo(
            end.plus(estimatedTooHighAtMost).plus(lease.lease()).minus(lease.margin()));
  }
}
