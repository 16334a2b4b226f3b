package io.hapax.demo.scene;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The counts of a scene: how many effects are right, how many there are, and what is wrong. */
public record SceneResult(int asked, int effects, List<String> violations) {

  public SceneResult {
    violations = List.copyOf(violations);
  }

  /** Compares effects with what was asked: each id must have exactly one. */
  public static SceneResult count(Collection<String> asked, List<String> effects) {
    Map<String, Long> counts =
        effects.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    List<String> violations = Stream.concat(asked.stream(), counts.keySet().stream())
        .distinct()
        .sorted()
        .filter(id -> counts.getOrDefault(id, 0L) != (asked.contains(id) ? 1 : 0))
        .map(id -> id + " took effect " + counts.getOrDefault(id, 0L) + " times")
        .toList();
    return new SceneResult(asked.size(), effects.size(), violations);
  }

  public SceneResult with(List<String> more) {
    List<String> all = new ArrayList<>(violations);
    all.addAll(more);
    return new SceneResult(asked, effects, all);
  }

  public boolean passed() {
    return violations.isEmpty();
  }
}
