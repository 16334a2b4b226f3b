package io.hapax.console.page;

import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.console.view.ProblemRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The first line of each page: the overall state (good, warn or bad) in one sentence. */
public record OverallState(String level, String sentence) {

  /** The figures that need a decision, the most urgent first. */
  private static final List<String> DECISIONS = List.of("indoubt", "stale", "dead");

  /** The figures that must be known before the state is good. */
  private static final List<String> OF_THE_STORE = List.of("indoubt", "stale");

  /** Derives the verdict from the figures. */
  public static OverallState of(NowView view, Texts texts) {
    long problems = Math.max(view.problems().size(), value(view, "problems").orElse(0));
    if (!view.problems().isEmpty()) {
      ProblemRow first = view.problems().get(0);
      String what = Formats.named(texts, "problem", first.kind())
          + texts.get("verdict.colon")
          + Formats.brief(texts.get(first.text()));
      return new OverallState("bad", texts.get("verdict.problem", problems, what));
    } else if (problems > 0) {
      return new OverallState("bad", texts.get("verdict.problems", problems));
    }
    List<String> decisions = new ArrayList<>();
    for (String name : DECISIONS) {
      long count = value(view, name).orElse(0);
      if (count > 0) {
        decisions.add(texts.get("verdict." + name, count));
      }
    }
    String decide = decisions.isEmpty()
        ? ""
        : texts.get("verdict.decide", String.join(texts.get("verdict.comma"), decisions));
    OptionalLong live = value(view, "live");
    if (live.isPresent() && live.getAsLong() == 0) {
      long waiting = value(view, "lag").orElse(0);
      return waiting > 0
          ? new OverallState("bad", texts.get("verdict.stopped-behind", waiting) + decide)
          : new OverallState("warn", texts.get("verdict.stopped") + decide);
    } else if (!decide.isEmpty()) {
      return new OverallState("warn", decide.strip());
    }
    boolean blind = OF_THE_STORE.stream().anyMatch(it -> value(view, it).isEmpty());
    return blind
        ? new OverallState("warn", texts.get("verdict.blind"))
        : new OverallState("good", texts.get("verdict.well"));
  }

  private static OptionalLong value(NowView view, String name) {
    return view.figure(name).map(Figure::value).orElse(OptionalLong.empty());
  }
}
