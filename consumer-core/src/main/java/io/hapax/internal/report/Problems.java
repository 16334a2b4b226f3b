package io.hapax.internal.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is wrong at the moment, by its source; the newest word of each source stands until it
 * recovers.
 */
final class Problems {

  /** Of a target that takes no dead letters there may be one for each message that waits. */
  private static final int MOST_TOLD = 20;

  private final Map<String, String> bySource = new TreeMap<>();

  /** Whether nothing was wrong with the source before. */
  synchronized boolean raise(String source, String detail) {
    return bySource.put(source, detail) == null;
  }

  /** Whether something was wrong with the source. */
  synchronized boolean clear(String source) {
    return bySource.remove(source) != null;
  }

  synchronized boolean of(String source) {
    return bySource.containsKey(source);
  }

  synchronized List<String> all() {
    List<String> told = new ArrayList<>(bySource.values());
    if (told.size() > MOST_TOLD) {
      int more = told.size() - MOST_TOLD;
      told.subList(MOST_TOLD, told.size()).clear();
      told.add("and " + more + " more, which the log names");
    }
    return told;
  }
}
