package io.hapax.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OverallStateTest {

  private static final Map<String, Long> WELL = Map.of("indoubt", 0L, "stale", 0L, "dead", 0L);

  private static OverallState verdict(Map<String, Long> figures, ProblemRow... problems) {
    List<Figure> all = figures.entrySet().stream()
        .map(it -> new Figure(it.getKey(), OptionalLong.of(it.getValue()), true, false))
        .toList();
    NowView view =
        new NowView(Instant.EPOCH, true, all, List.of(), List.of(problems), Duration.ZERO);
    return OverallState.of(view, Texts.of("en"));
  }

  private static Map<String, Long> well(String name, long value, String other, long otherValue) {
    Map<String, Long> figures = new HashMap<>(WELL);
    figures.put(name, value);
    figures.put(other, otherValue);
    return figures;
  }

  @Test
  void without_anything_to_decide_all_is_well() {
    assertThat(verdict(WELL))
        .isEqualTo(new OverallState(
            "good", "All is well. No problems, nothing in doubt, no dead letters."));
  }

  @Test
  void a_problem_comes_before_everything_else() {
    var problem = new ProblemRow("STORE", "", Instant.EPOCH, Text.plain("connection refused"));

    assertThat(verdict(well("dead", 3, "live", 0), problem))
        .isEqualTo(
            new OverallState("bad", "1 problem. The store does not answer: connection refused"));
  }

  @Test
  void messages_that_need_a_decision_are_counted() {
    assertThat(verdict(well("dead", 1_200, "indoubt", 2)))
        .isEqualTo(new OverallState("warn", "A decision is needed: 2 in doubt, 1,200 dead."));
  }

  @Test
  void a_group_without_members_is_bad_while_messages_wait() {
    assertThat(verdict(well("live", 0, "lag", 1)))
        .isEqualTo(new OverallState("bad", "No consumer is running, and 1 message waits."));
    assertThat(verdict(well("live", 0, "dead", 2)))
        .isEqualTo(
            new OverallState("warn", "No consumer is running. A decision is needed: 2 dead."));
    assertThat(verdict(well("live", 2, "lag", 50_000)).level()).isEqualTo("good");
  }

  @Test
  void what_is_not_known_is_not_well() {
    assertThat(verdict(Map.of()).level()).isEqualTo("warn");
  }
}
