package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Until when the store may execute a claim. */
class ClaimLimitTest extends FaultFixture {

  private final List<ClaimRequest> sent = new CopyOnWriteArrayList<>();

  private final DedupStore watched = faulty((verb, items, call) -> {
    if (verb.equals("claim")) {
      items.forEach(item -> sent.add((ClaimRequest) item));
    }
    return call.go();
  });

  @Test
  @DisplayName("invariant 6: every claim that may open something carries a limit in time")
  void a_conflict_at_the_head_of_the_first_poll_does_not_lift_the_limit() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "a=1"), PATIENCE);
    IdempotentReceiver<String> receiver = open(builder().leased(watched, delivery -> {}));

    receiver.receive(lane("p0", "a=2", "b=1"), PATIENCE);

    assertThat(sent)
        .filteredOn(request -> request.key().equals(key("b")))
        .noneMatch(request -> request.terms().notAfter().equals(ClaimTerms.ANY_TIME));
  }

  @Test
  @DisplayName("invariant 6: a claim may be executed as long as it could still be used, no longer")
  void a_claim_is_limited_to_its_lease_less_the_margin() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(watched, delivery -> {}));

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
