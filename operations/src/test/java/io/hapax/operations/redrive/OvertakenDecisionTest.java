package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions of operators whose mark moves between their look and the decision. */
class OvertakenDecisionTest extends MarkFixture {

  private static final Fingerprint FIRST = new Fingerprint(13);

  /** The store, in which something happens just before a decision is carried out. */
  private DedupStore before(Runnable event) {
    return observed((verb, arguments) -> {
      if (verb.getName().equals("resolve")) {
        event.run();
      }
      return verb.invoke(store, arguments);
    });
  }

  private void reopenedWhileItsOwnerSettlesDone(Resolution resolution, boolean stale) {
    Claim late = claim("a", FIRST);
    if (stale) {
      leasesEnd();
    }
    // The operator saw PROCESSING; the owner's effect happens and is settled under the same token.
    DedupStore moving = before(() -> settle(late, Verdict.Done.WITHOUT_RESULT));

    Optional<Text> refusal = new MarkOperations(moving, "orders").resolve("a", resolution);

    assertThat(mark("a").state())
        .as("DONE stays; refusal was %s", refusal)
        .isEqualTo(MarkState.DONE);
    assertThat(refusal).isPresent();
    assertThat(claimAnswer(FIRST)).isNotInstanceOf(Acquired.class);
  }

  @Test
  void a_stale_mark_that_its_late_owner_settles_done_is_not_reopened() {
    reopenedWhileItsOwnerSettlesDone(Resolution.REOPEN, true);
  }

  @Test
  void a_leased_mark_that_its_owner_settles_done_is_not_reopened_by_force() {
    reopenedWhileItsOwnerSettlesDone(Resolution.REOPEN.force(), false);
  }

  /** The operator saw a claim whose owner seemed to be dead, and believes that it took effect. */
  @Test
  void a_stale_mark_that_its_late_owner_settles_as_retry_is_not_forced_done() {
    Claim late = claim("a", FIRST);
    leasesEnd();
    DedupStore moving = before(() -> settle(late, new Verdict.Retry(Duration.ZERO, false)));

    Optional<Text> refusal =
        new MarkOperations(moving, "orders").resolve("a", Resolution.FORCE_DONE);

    assertThat(mark("a").state())
        .as("it moved from PROCESSING to RETRY since; refusal was %s", refusal)
        .isEqualTo(MarkState.RETRY);
    assertThat(refusal).isPresent();
  }
}
