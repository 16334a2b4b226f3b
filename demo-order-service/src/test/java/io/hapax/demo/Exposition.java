package io.hapax.demo;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The series of a service, as Prometheus reads them.
 *
 * @param labels the values by metric and label
 */
record Exposition(Map<String, Map<String, Set<String>>> labels) {

  private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  /** Reads the text format. */
  static Exposition of(String text) {
    Map<String, Map<String, Set<String>>> labels = new TreeMap<>();
    SERIES.matcher(text).results().forEach(series -> {
      Map<String, Set<String>> values =
          labels.computeIfAbsent(series.group(1), it -> new TreeMap<>());
      if (series.group(2) != null) {
        LABEL
            .matcher(series.group(2))
            .results()
            .forEach(label ->
                values.computeIfAbsent(label.group(1), it -> new TreeSet<>()).add(label.group(2)));
      }
    });
    return new Exposition(labels);
  }
}
