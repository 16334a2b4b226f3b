package io.hapax.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An expression of a dashboard or an alert.
 *
 * @param place the panel or the alert
 * @param text PromQL, or a query of a variable of Grafana
 * @param shown a text with labels of the result
 */
record Expression(String place, String text, String shown) {

  /** Labels that Prometheus adds when it scrapes. */
  private static final Set<String> SCRAPED = Set.of("job", "instance");

  private static final Pattern SELECTOR = Pattern.compile("\\b(hapax_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER =
      Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)|label_values\\(.*, (\\w+)\\)");
  private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");

  /** Returns what the service does not expose; empty if the expression fits. */
  List<String> unknown(Exposition service) {
    List<String> unknown = new ArrayList<>();
    Set<String> known = new TreeSet<>(SCRAPED);
    Matcher selector = SELECTOR.matcher(text);
    while (selector.find()) {
      Map<String, Set<String>> labels = service.labels().get(selector.group(1));
      if (labels == null) {
        unknown.add("metric " + selector.group(1));
      } else {
        known.addAll(labels.keySet());
        unknown.addAll(unknownValues(selector.group(2), labels));
      }
    }
    groupings().stream()
        .filter(it -> !known.contains(it))
        .forEach(it -> unknown.add("label " + it));
    labels(SHOWN, shown).stream()
        .filter(it -> !groupings().contains(it))
        .forEach(it -> unknown.add("label " + it + " in " + shown));
    return unknown.stream().map(it -> place + ": " + it).toList();
  }

  private static List<String> unknownValues(String matchers, Map<String, Set<String>> labels) {
    List<String> unknown = new ArrayList<>();
    Matcher matcher = MATCHER.matcher(matchers == null ? "" : matchers);
    while (matcher.find()) {
      String label = matcher.group(1);
      if (!SCRAPED.contains(label) && !labels.containsKey(label)) {
        unknown.add("label " + label);
      } else if (!matcher.group(2).startsWith("$")) {
        List.of(matcher.group(2).split("\\|")).stream()
            .filter(value -> !labels.getOrDefault(label, Set.of()).contains(value))
            .forEach(value -> unknown.add("value " + value + " of " + label));
      }
    }
    return unknown;
  }

  private Set<String> groupings() {
    return labels(GROUPING, text);
  }

  /** Returns the labels of the groups of a pattern. */
  private static Set<String> labels(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(it -> it.group(1) != null ? it.group(1) : it.group(2))
        .flatMap(list -> List.of(list.split(",\\s*")).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns whether the expression reads a meter of Hapax. */
  boolean readsMeters() {
    return SELECTOR.matcher(text).find();
  }
}
