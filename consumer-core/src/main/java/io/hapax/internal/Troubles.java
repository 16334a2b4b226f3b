package io.hapax.internal;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is wrong at the moment, by its source; the newest word of each source stands until it
 * recovers.
 */
final class Troubles {

  private final Map<String, String> bySource = new TreeMap<>();

  synchronized void raise(String source, String detail) {
    bySource.put(source, detail);
  }

  synchronized void clear(String source) {
    bySource.remove(source);
  }

  synchronized Optional<String> all() {
    return bySource.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("; ", bySource.values()));
  }
}
