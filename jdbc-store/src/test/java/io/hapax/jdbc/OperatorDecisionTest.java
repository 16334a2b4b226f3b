package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An operator's decision that waits for a transaction which is under way: the effect that it
 * commits is not repeated.
 */
@TestDatabase.InEachBuild
class OperatorDecisionTest extends StoreTests {

  private void decideWhileATransactionEnds(Resolution resolution, Duration later) throws Exception {
    Claim claim = claimed("a");
    JdbcDedupStore patient =
        builder(fixture.pool()).lockWait(Duration.ofSeconds(10)).build();
    fixture.advance(later);
    patient.setClockOffset(later);
    List<Future<Boolean>> resolved = new ArrayList<>();

    SettleAnswer answer = store().<Exception>completeWith(claim, transaction -> {
      fixture.writeEffect(transaction, effect("a"));
      resolved.add(threads.submit(
          () -> patient.resolve(claim.key(), claim.token(), MarkState.PROCESSING, resolution)));
      await().until(() -> number(database.product.countBlocked) > 0);
    });

    assertThat(answer).isEqualTo(new SettleAnswer.Settled(false));
    boolean changed = resolved.get(0).get(20, TimeUnit.SECONDS);
    if (store().claim(List.of(solo(request("a"))), LEASE).get(0) instanceof Acquired again) {
      store()
          .<Exception>completeWith( // as any delivery
              again.claim(), transaction -> fixture.writeEffect(transaction, effect("a")));
    }
    assertThat(effects("a"))
        .as("committed effects; resolve answered %s", changed)
        .isEqualTo(1);
    assertThat(state("a")).isEqualTo(MarkState.DONE);
  }

  @Test
  void reopening_a_stale_mark_does_not_repeat_a_late_owners_commit() throws Exception {
    decideWhileATransactionEnds(Resolution.REOPEN, LEASE.plusSeconds(1));
  }

  @Test
  void forced_reopening_does_not_repeat_what_its_owner_commits_meanwhile() throws Exception {
    decideWhileATransactionEnds(Resolution.REOPEN.force(), Duration.ZERO);
  }
}
