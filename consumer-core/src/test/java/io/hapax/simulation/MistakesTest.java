package io.hapax.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.simulation.Violation.Rule;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same worlds with one mistake each: the simulation is worth what it finds of them. */
@Timeout(300)
@DisplayName("the simulation finds out")
class MistakesTest {

  private static final long SEEDS = 10_000;

  /** Returns sets of rules. For each set some world must break one of its rules. */
  private static List<Set<Rule>> brokenBy(Mistake mistake) {
    return switch (mistake) {
      case STORE_SETTLES_WITHOUT_TOKEN ->
        List.of(Set.of(
            Rule.ONE_HANDLER_AT_A_TIME, Rule.NO_START_WITHOUT_LEASE, Rule.REPEATS_ARE_EXPLAINED));
      case STORE_BELIEVES_THE_CALLERS_CLOCK -> each(Rule.ONE_HANDLER_AT_A_TIME);
      case STORE_RELEASES_BY_DELETE,
          STORE_FORGETS_DONE,
          STORE_KEEPS_DONE_TOO_SHORTLY,
          STORE_DROPS_MARKS_WITH_THEIR_LEASE,
          STORE_FORGETS_DOUBT,
          STORE_DELETES_FAILED_MARKS,
          ROLLBACK_KEEPS_EFFECTS -> each(Rule.REPEATS_ARE_EXPLAINED);
      case CLIENT_TAKES_SILENCE_FOR_SETTLED -> each(Rule.NO_ACK_BEFORE_ITS_TIME);
      case STORE_GRANTS_LESS_THAN_IT_SAYS, CLOCK_STOPS_IN_A_FREEZE ->
        each(Rule.NO_START_WITHOUT_LEASE);
      case STORE_DROPS_RENEWALS -> each(Rule.NO_TAKEOVER_FROM_THE_HEALTHY);
      case STORE_NEVER_TAKES_OVER -> each(Rule.EVERYTHING_COMES_TO_REST);
      case STORE_ANSWERS_DONE_FOR_BUSY,
          ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE,
          ADAPTER_COMMITS_THE_HIGHEST,
          CLIENT_TAKES_AN_OUTAGE_FOR_DONE,
          LOOKUP_SEES_UNCOMMITTED_MARKS,
          LOOKUP_TAKES_ANY_MARK_FOR_DONE -> each(Rule.NO_ACK_BEFORE_ITS_TIME, Rule.NOTHING_IS_LOST);
      case ADAPTER_ACKNOWLEDGES_DEFERRALS ->
        each(Rule.NO_ACK_BEFORE_ITS_TIME, Rule.NO_CLAIM_IS_LEFT);
      case ADAPTER_OVERTAKES -> each(Rule.ORDER_IS_KEPT);
      case ROLLBACK_KEEPS_MARKS, DEAD_LETTERS_GET_LOST -> each(Rule.NOTHING_IS_LOST);
    };
  }

  private static List<Set<Rule>> each(Rule... rules) {
    return List.of(rules).stream().map(Set::of).toList();
  }

  @ParameterizedTest
  @EnumSource
  void every_mistake(Mistake mistake) {
    assertThat(brokenBy(mistake))
        .allSatisfy(rules -> assertThat(LongStream.range(0, SEEDS)
                .filter(seed -> breaks(seed, mistake, rules))
                .findFirst())
            .as("a seed that finds out %s by %s", mistake, rules)
            .isPresent());
  }

  private static boolean breaks(long seed, Mistake mistake, Set<Rule> rules) {
    return Story.of(seed, Set.of(mistake), false).violations().stream()
        .anyMatch(it -> rules.contains(it.rule()));
  }
}
