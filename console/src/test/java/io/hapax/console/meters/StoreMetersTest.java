package io.hapax.console.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StoreMetersTest {

  private static String text(Figure... figures) {
    return StoreMeters.text(
        "billing",
        new NowView(Instant.EPOCH, true, List.of(figures), List.of(), List.of(), Duration.ZERO));
  }

  private static Figure figure(String name, OptionalLong value) {
    return new Figure(name, value, true, false);
  }

  @Test
  void figures_of_the_broker_have_names_of_their_own() {
    assertThat(text(figure("lag", OptionalLong.of(3)), figure("live", OptionalLong.of(2))))
        .contains(
            "hapax_group_lag_offsets{consumer=\"billing\"} 3.0",
            "hapax_group_members{consumer=\"billing\"} 2.0",
            "hapax_console_problems{consumer=\"billing\",kind=\"broker\"} 0.0");
  }

  @Test
  void an_unknown_figure_is_missing() {
    assertThat(text(figure("stale", OptionalLong.empty()))).doesNotContain("hapax_marks_stale");
  }
}
