package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.redrive.DeadLetterMetadata;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redrive;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.StoredDeadLetter;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tools read again from a store that does not answer for a moment. */
class PatientToolsTest extends FaultFixture {

  private final AtomicInteger callsToLose = new AtomicInteger();
  private final DedupStore store = faulty((verb, items, call) -> {
    if (callsToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new StoreException("the call was lost");
    }
    return call.go();
  });
  private final StoredDeadLetter letter = StoredDeadLetter.of(
      "dead-0@1",
      0,
      DeadLetterMetadata.read(name -> Optional.empty()),
      "a",
      it -> Optional.of(Bytes.utf8(it)),
      Optional.empty());

  private Claim claimed() {
    ClaimRequest request = new ClaimRequest(
        key("a"),
        new Nonce(7, 7),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
    return ((Acquired) marks.claim(List.of(request), Duration.ofHours(1)).get(0)).claim();
  }

  @Test
  void a_redrive_outlives_a_store_that_is_away_for_a_moment() {
    marks.settle(List.of(new Settlement(claimed(), new Verdict.Dead("no stock"))));
    callsToLose.set(2);

    assertThat(new Redrive(store, SCOPE, RedriveSettings.to("orders")).reopen(letter))
        .isEqualTo(new RedriveResult.Published());

    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
  }

  @Test
  void so_does_a_list_of_open_marks() {
    var unused = claimed();
    callsToLose.set(2);

    assertThat(new MarkOperations(store, SCOPE).list(MarkQuery.Kind.LEASED, 10)).hasSize(1);
  }

  @Test
  void a_store_that_stays_away_ends_the_tool() {
    callsToLose.set(4);

    assertThatThrownBy(() -> new Redrive(store, SCOPE, RedriveSettings.to("orders")).look(letter))
        .isInstanceOf(StoreException.class)
        .hasMessage("the call was lost");
  }
}
