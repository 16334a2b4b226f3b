package io.hapax.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.simulation.Violation.Rule;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same worlds with one mistake each: the simulation is worth what it finds of them. */
@Timeout(300)
@DisplayName("the simulation finds out")
class MistakesTest {

  private static final long SEEDS = 10_000;

  private static void foundOut(Mistake mistake, Rule... rules) {
    assertThat(LongStream.range(0, SEEDS)
            .filter(seed -> breaks(seed, mistake, Set.of(rules)))
            .findFirst())
        .as("a seed that finds out %s by %s", mistake, Set.of(rules))
        .isPresent();
  }

  private static boolean breaks(long seed, Mistake mistake, Set<Rule> rules) {
    return Story.of(seed, Set.of(mistake), false).violations().stream()
        .anyMatch(it -> rules.contains(it.rule()));
  }

  @Test
  void a_store_that_settles_without_comparing_tokens() {
    foundOut(
        Mistake.STORE_SETTLES_WITHOUT_TOKEN,
        Rule.ONE_HANDLER_AT_A_TIME,
        Rule.NO_START_WITHOUT_LEASE,
        Rule.REPEATS_ARE_EXPLAINED);
  }

  @Test
  void a_store_that_believes_the_clock_of_its_caller() {
    foundOut(Mistake.STORE_BELIEVES_THE_CALLERS_CLOCK, Rule.ONE_HANDLER_AT_A_TIME);
  }

  @Test
  void a_store_that_releases_by_deleting() {
    foundOut(Mistake.STORE_RELEASES_BY_DELETE, Rule.REPEATS_ARE_EXPLAINED);
  }

  @Test
  void a_store_that_grants_shorter_leases_than_it_says() {
    foundOut(Mistake.STORE_GRANTS_LESS_THAN_IT_SAYS, Rule.NO_START_WITHOUT_LEASE);
  }

  @Test
  void renewals_that_get_nowhere_while_the_handler_runs_on() {
    foundOut(Mistake.STORE_DROPS_RENEWALS, Rule.NO_TAKEOVER_FROM_THE_HEALTHY);
  }

  @Test
  void a_store_that_takes_a_message_for_done_while_it_is_handled() {
    foundOut(Mistake.STORE_ANSWERS_DONE_FOR_BUSY, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.STORE_ANSWERS_DONE_FOR_BUSY, Rule.NOTHING_IS_LOST);
  }

  @Test
  void a_store_that_allows_no_takeover() {
    foundOut(Mistake.STORE_NEVER_TAKES_OVER, Rule.EVERYTHING_COMES_TO_REST);
  }

  @Test
  void a_store_that_forgets_what_is_done() {
    foundOut(Mistake.STORE_FORGETS_DONE, Rule.REPEATS_ARE_EXPLAINED);
  }

  @Test
  void an_adapter_that_acknowledges_before_the_settle() {
    foundOut(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE, Rule.NOTHING_IS_LOST);
  }

  @Test
  void an_adapter_that_acknowledges_what_was_deferred() {
    foundOut(Mistake.ADAPTER_ACKNOWLEDGES_DEFERRALS, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.ADAPTER_ACKNOWLEDGES_DEFERRALS, Rule.NO_CLAIM_IS_LEFT);
  }

  @Test
  void an_adapter_that_commits_behind_the_highest_offset() {
    foundOut(Mistake.ADAPTER_COMMITS_THE_HIGHEST, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.ADAPTER_COMMITS_THE_HIGHEST, Rule.NOTHING_IS_LOST);
  }

  @Test
  void an_adapter_that_submits_a_lane_twice_at_once() {
    foundOut(Mistake.ADAPTER_OVERTAKES, Rule.ORDER_IS_KEPT);
  }

  @Test
  void a_clock_that_stops_while_its_process_is_frozen() {
    foundOut(Mistake.CLOCK_STOPS_IN_A_FREEZE, Rule.NO_START_WITHOUT_LEASE);
  }

  @Test
  void dead_letters_that_are_thrown_away() {
    foundOut(Mistake.DEAD_LETTERS_GET_LOST, Rule.NOTHING_IS_LOST);
  }

  @Test
  void a_look_up_that_sees_marks_before_they_are_committed() {
    foundOut(Mistake.LOOKUP_SEES_UNCOMMITTED_MARKS, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.LOOKUP_SEES_UNCOMMITTED_MARKS, Rule.NOTHING_IS_LOST);
  }

  @Test
  void a_look_up_that_takes_any_mark_for_done() {
    foundOut(Mistake.LOOKUP_TAKES_ANY_MARK_FOR_DONE, Rule.NO_ACK_BEFORE_ITS_TIME);
    foundOut(Mistake.LOOKUP_TAKES_ANY_MARK_FOR_DONE, Rule.NOTHING_IS_LOST);
  }

  @Test
  void a_transaction_whose_marks_outlive_its_rollback() {
    foundOut(Mistake.ROLLBACK_KEEPS_MARKS, Rule.NOTHING_IS_LOST);
  }

  @Test
  void a_transaction_whose_effects_outlive_its_rollback() {
    foundOut(Mistake.ROLLBACK_KEEPS_EFFECTS, Rule.REPEATS_ARE_EXPLAINED);
  }
}
