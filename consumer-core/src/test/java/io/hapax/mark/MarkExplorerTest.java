package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.MarkExplorer.Bounds;
import io.hapax.mark.MarkExplorer.Findings;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Explores all small worlds, and breaks the machine and its users on purpose to see that the
 * explorer finds it. Counts are asserted from below only: they show that the worlds were explored.
 * The largest worlds take a minute; they are explored with {@code -Dhapax.explorer=full}.
 */
@DisplayName("all small worlds")
@Timeout(600)
class MarkExplorerTest {

  private static final boolean FULL = "full".equals(System.getProperty("hapax.explorer"));

  static Stream<Arguments> worlds() {
    Stream<Arguments> small = Stream.of(
        Arguments.of(new Bounds(1, 3, 2, 3), 50_000),
        Arguments.of(new Bounds(2, 2, 2, 2), 90_000),
        Arguments.of(new Bounds(2, 3, 2, 1), 25_000));
    Stream<Arguments> large = Stream.of(
        Arguments.of(new Bounds(1, 3, 2, 4), 300_000),
        Arguments.of(new Bounds(2, 2, 2, 3), 1_000_000),
        Arguments.of(new Bounds(2, 3, 2, 2), 1_000_000));
    return FULL ? Stream.concat(small, large) : small;
  }

  @DisplayName("invariants 1 to 10 hold in every reachable world, and no mark is stuck (14)")
  @ParameterizedTest(name = "{0}")
  @MethodSource("worlds")
  void no_step_breaks_an_invariant(Bounds bounds, int atLeastWorlds) {
    long begin = System.nanoTime();
    Findings found = explore(new ExploredStore(), new ExploredClient(), bounds);
    System.out.printf(
        "%s: %,d distinct worlds %s, %,d steps, %.1f s%n",
        bounds, found.sum(), found.worlds(), found.steps(), (System.nanoTime() - begin) / 1e9);
    assertThat(found.way()).as("the way to a broken invariant").isEmpty();
    assertThat(found.sum()).isGreaterThan(atLeastWorlds);
  }

  @Test
  void every_world_is_read_from_its_code_as_it_was() {
    MarkExplorer explorer =
        new MarkExplorer(new ExploredStore(), new ExploredClient(), new Bounds(2, 3, 2, 1));
    explorer.explore();
    assertThat(explorer.misread()).isEmpty();
  }

  private static Findings explore(ExploredStore store, ExploredClient client, Bounds bounds) {
    return new MarkExplorer(store, client, bounds).explore();
  }

  private static void assertBreaks(int invariant, ExploredStore store, ExploredClient client) {
    Findings found = explore(store, client, new Bounds(2, 2, 2, 2));
    String mutant =
        (store.getClass() == ExploredStore.class ? client : store).getClass().getSimpleName();
    System.out.printf("%s, after %,d worlds: %s%n", mutant, found.sum(), found.way());
    assertThat(found.broken().map(Broken::invariant)).as("%s", found.way()).contains(invariant);
    assertThat(found.way()).last().asString().contains("invariant " + invariant);
  }

  @Nested
  @DisplayName("a broken machine is caught")
  class BrokenMachines {

    private static void assertBreaks(int invariant, ExploredStore mutant) {
      MarkExplorerTest.assertBreaks(invariant, mutant, new ExploredClient());
    }

    @Test
    @DisplayName("invariant 1: a look-up must not take another state for done")
    void any_mark_found_done() {
      assertBreaks(1, new MarkMutants.FindsAnyMarkDone());
    }

    @Test
    @DisplayName("invariant 3: a lease judged by a client's clock lets two hold it")
    void lease_judged_by_the_callers_clock() {
      assertBreaks(3, new MarkMutants.BelievesTheCallersClock());
    }

    @Test
    @DisplayName("invariant 4: release by delete lets counted tokens start again")
    void tokens_that_start_again_after_release() {
      assertBreaks(4, new MarkMutants.RestartsTokens());
    }

    @Test
    @DisplayName("invariant 5: settling without a token check lets a late owner settle")
    void settle_without_token_check() {
      assertBreaks(5, new MarkMutants.SettlesWithoutToken());
    }

    @Test
    @DisplayName("invariant 5: the nonce alone is not enough once a mark was lost")
    void settle_by_nonce_alone() {
      assertBreaks(5, new MarkMutants.SettlesByNonceAlone());
    }

    @Test
    @DisplayName("invariant 5: renewing without a token check lets a late owner renew")
    void renew_without_token_check() {
      assertBreaks(5, new MarkMutants.RenewsWithoutToken());
    }

    @Test
    @DisplayName("invariant 9: release by delete looks like a loss of the mark")
    void release_by_delete() {
      assertBreaks(9, new MarkMutants.ReleasesByDelete());
    }

    @Test
    @DisplayName("invariant 5: release without a token check gives back what another holds")
    void release_without_ownership_check() {
      assertBreaks(5, new MarkMutants.ReleasesWithoutOwnership());
    }

    @Test
    @DisplayName("invariant 5: time alone must not fence an owner that was not replaced")
    void owner_fenced_by_time() {
      assertBreaks(5, new MarkMutants.FencesByTime());
    }

    @Test
    @DisplayName("invariant 6: a claim without a limit opens after its caller gave up")
    void claim_without_limit() {
      assertBreaks(6, new MarkMutants.IgnoresTheLimit());
    }

    @Test
    @DisplayName("invariant 6: a claim sent again must not meet itself")
    void claim_that_is_busy_with_itself() {
      assertBreaks(6, new MarkMutants.DoesNotKnowItsOwner());
    }

    @Test
    @DisplayName("invariant 6: a claim that finds a message busy must not change its mark")
    void busy_counted_as_an_attempt() {
      assertBreaks(6, new MarkMutants.CountsBusy());
    }

    @Test
    @DisplayName("invariant 7: a done mark must not be claimed again")
    void done_mark_taken_for_an_expired_lease() {
      assertBreaks(7, new MarkMutants.TakesDoneForAnExpiredLease());
    }

    @Test
    @DisplayName("invariant 7: a dead mark must not be claimed again")
    void dead_mark_revived() {
      assertBreaks(7, new MarkMutants.RevivesTheDead());
    }

    @Test
    @DisplayName("invariant 7: a lost mark must not be written as dead")
    void lost_mark_written_as_dead() {
      assertBreaks(7, new MarkMutants.WritesTheLostAsDead());
    }

    @Test
    @DisplayName("invariant 7: a lost mark that was written anew must not become dead")
    void mark_written_anew_turned_dead() {
      assertBreaks(7, new MarkMutants.RenewsTheLostWithItsAttempt());
    }

    @Test
    @DisplayName("invariant 9: the loss of a mark must be reported")
    void loss_of_the_mark_hidden() {
      assertBreaks(9, new MarkMutants.HidesTheLoss());
    }

    @Test
    @DisplayName("invariant 10: a mark that goes with its lease hides that it is a suspect")
    void time_to_live_as_lease() {
      assertBreaks(10, new MarkMutants.LivesAsLongAsItsLease());
    }

    @Test
    @DisplayName("invariant 9: a takeover must report that another owner may have run")
    void takeover_without_doubt() {
      assertBreaks(9, new MarkMutants.TakesOverWithoutDoubt());
    }

    @Test
    @DisplayName("invariant 9: a failure may have taken effect")
    void doubt_of_a_failure_forgotten() {
      assertBreaks(9, new MarkMutants.ForgetsDoubt());
    }

    @Test
    @DisplayName("invariant 10: a lost batch costs its messages no attempt")
    void innocent_messages_charged() {
      assertBreaks(10, new MarkMutants.ChargesTheInnocent());
    }

    @Test
    @DisplayName("invariant 10: what may kill its process is claimed alone")
    void lost_messages_taken_over_together() {
      assertBreaks(10, new MarkMutants.TakesOverAmongOthers());
    }

    @Test
    @DisplayName("invariant 10: a deferral costs no attempt")
    void deferral_charged_as_an_attempt() {
      assertBreaks(10, new MarkMutants.ChargesForDeferrals());
    }

    @Test
    @DisplayName("invariant 10: the first deferral is remembered by every later claim")
    void first_deferral_forgotten() {
      assertBreaks(10, new MarkMutants.ForgetsTheFirstDeferral());
    }

    @Test
    @DisplayName("invariant 14: what a vanished owner left must be taken over")
    void vanished_owner_never_replaced() {
      assertBreaks(14, new MarkMutants.NeverTakesOver());
    }
  }

  @Nested
  @DisplayName("a broken user of a sound machine is caught")
  class BrokenUsers {

    private static void assertBreaks(int invariant, ExploredClient mutant) {
      MarkExplorerTest.assertBreaks(invariant, new ExploredStore(), mutant);
    }

    @Test
    @DisplayName("invariant 1: busy is not done")
    void busy_acknowledged() {
      assertBreaks(1, new ClientMutants.AcknowledgesBusy());
    }

    @Test
    @DisplayName("invariant 1: what a dead process left is not done")
    void suspect_acknowledged() {
      assertBreaks(1, new ClientMutants.AcknowledgesSuspects());
    }

    @Test
    @DisplayName("invariant 1: a late owner may not acknowledge what its successor still does")
    void fenced_settlement_acknowledged() {
      assertBreaks(1, new ClientMutants.AcknowledgesFenced());
    }

    @Test
    @DisplayName("invariant 1: a failed message may not be acknowledged")
    void failure_acknowledged() {
      assertBreaks(1, new ClientMutants.AcknowledgesFailures());
    }

    @Test
    @DisplayName("invariant 1: a store that does not answer has not said that it is done")
    void silence_acknowledged() {
      assertBreaks(1, new ClientMutants.TakesSilenceForSuccess());
    }

    @Test
    @DisplayName("invariant 1: the mark is done before the acknowledgement")
    void acknowledgement_before_the_mark() {
      assertBreaks(1, new ClientMutants.AcknowledgesFirst());
    }

    @Test
    @DisplayName("invariant 2: no handler without a claim")
    void handler_without_a_claim() {
      assertBreaks(2, new ClientMutants.RunsWithoutClaim());
    }

    @Test
    @DisplayName("invariant 9: a nonce for each process lets its next delivery repeat the effect")
    void nonce_per_process() {
      assertBreaks(9, new ClientMutants.NoncePerProcess());
    }
  }
}
