package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.MarkExplorer.Bounds;
import io.hapax.mark.MarkExplorer.Findings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Explores all small worlds, and breaks the machine on purpose to see that the explorer would tell.
 * The counts are asserted from below only: they say that the worlds were really walked.
 */
@DisplayName("all small worlds")
class MarkExplorerTest {

  @DisplayName("invariants 3, 4, 5, 6, 7 hold in every reachable world, and no mark is stuck (14)")
  @ParameterizedTest(name = "{0} owners, {1} deliveries each, wandering claims: {2}")
  @CsvSource({"3, 2, false, 20000", "3, 1, true, 20000", "2, 2, true, 20000"})
  void no_step_breaks_an_invariant(
      int owners, int deliveries, boolean wandering, int atLeastWorlds) {
    Bounds bounds = new Bounds(owners, deliveries, wandering, true);
    Findings found = new MarkExplorer(new ExploredStore(), bounds).explore();
    System.out.printf("%s: %,d worlds, %,d steps%n", bounds, found.worlds(), found.steps());
    assertThat(found.way()).as("the way to a broken invariant").isEmpty();
    assertThat(found.worlds()).isGreaterThan(atLeastWorlds);
  }

  @Nested
  @DisplayName("a broken machine is caught")
  class Mutants {

    private static final Bounds WITHOUT_LOSSES = new Bounds(3, 1, true, false);
    private static final Bounds WITH_LOSSES = new Bounds(3, 1, true, true);

    private static void assertBreaks(int invariant, ExploredStore mutant) {
      assertBreaks(invariant, mutant, WITHOUT_LOSSES);
    }

    private static void assertBreaks(int invariant, ExploredStore mutant, Bounds bounds) {
      Findings found = new MarkExplorer(mutant, bounds).explore();
      System.out.println(mutant.getClass().getSimpleName() + ": " + found.way());
      assertThat(found.broken().map(Broken::invariant)).as("%s", found.way()).contains(invariant);
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
    @DisplayName("invariant 5: renewing without a token check lets a late owner renew")
    void renew_without_token_check() {
      assertBreaks(5, new MarkMutants.RenewsWithoutToken());
    }

    @Test
    @DisplayName("invariant 5: release by delete lets a late owner write the mark anew")
    void release_by_delete() {
      assertBreaks(5, new MarkMutants.ReleasesByDelete());
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
    @DisplayName("invariant 7: a done mark must not be claimed again")
    void done_mark_taken_for_a_lease_that_is_over() {
      assertBreaks(7, new MarkMutants.TakesDoneForALeaseThatIsOver());
    }

    @Test
    @DisplayName("invariant 9: the loss of a mark must be told")
    void loss_of_the_mark_hidden() {
      assertBreaks(9, new MarkMutants.HidesTheLoss(), WITH_LOSSES);
    }

    @Test
    @DisplayName("invariant 14: what a vanished owner left must be taken over")
    void vanished_owner_never_replaced() {
      assertBreaks(14, new MarkMutants.NeverTakesOver());
    }
  }
}
