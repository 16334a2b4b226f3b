package io.hapax.console.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StoreMetersTest {

  private static String text(List<Figure> figures, List<ProblemRow> problems) {
    return StoreMeters.text(
        "billing", new NowView(Instant.EPOCH, true, figures, List.of(), problems, Duration.ZERO));
  }

  private static Figure figure(String name, OptionalLong value) {
    return new Figure(name, value, true, false);
  }

  @Test
  void figures_of_the_broker_have_names_of_their_own() {
    assertThat(text(
            List.of(figure("lag", OptionalLong.of(3)), figure("live", OptionalLong.of(2))),
            List.of()))
        .contains(
            "hapax_group_lag_offsets{consumer=\"billing\"} 3.0",
            "hapax_group_members{consumer=\"billing\"} 2.0",
            "hapax_console_problems{consumer=\"billing\",kind=\"broker\"} 0.0");
  }

  @Test
  void an_unknown_figure_is_missing() {
    assertThat(text(List.of(figure("stale", OptionalLong.empty())), List.of()))
        .doesNotContain("hapax_marks_stale");
  }

  @Test
  void a_store_that_does_not_answer_is_a_figure() {
    ProblemRow problem = new ProblemRow("STORE", "billing", Instant.EPOCH, Text.plain("no answer"));
    assertThat(text(List.of(), List.of(problem)))
        .contains(
            "hapax_store_reachable_ratio{consumer=\"billing\"} 0.0",
            "hapax_console_problems{consumer=\"billing\",kind=\"store\"} 1.0");
  }
}
