package io.hapax.console.action;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a form, except the common ones such as the CSRF token. */
public record Fields(Map<String, List<String>> values) {

  /** The separator of several values of one field. The text of a message id never contains it. */
  private static final String SEPARATOR = "\n";

  /** Removes the common fields and blank values. */
  public Fields {
    Map<String, List<String>> own = new LinkedHashMap<>();
    values.forEach((name, all) -> {
      List<String> filled = all.stream().filter(it -> !it.isBlank()).toList();
      if (!filled.isEmpty() && !List.of("csrf", "step", "plan").contains(name)) {
        own.put(name, filled);
      }
    });
    values = Map.copyOf(own);
  }

  /** Returns the first value of a field. */
  public Optional<String> get(String name) {
    return values.getOrDefault(name, List.of()).stream().findFirst();
  }

  /** Returns a required field. */
  public String require(String name) {
    return get(name)
        .orElseThrow(() -> new IllegalArgumentException("the field " + name + " is missing"));
  }

  /** Returns whether a box is checked. */
  public boolean isOn(String name) {
    return get(name).isPresent();
  }

  /** Returns all values of a field. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of()).stream()
        .flatMap(value -> value.lines())
        .filter(value -> !value.isBlank())
        .toList();
  }

  /** {@return one value for each name, for hidden inputs: line breaks separate several} */
  public Map<String, String> joined() {
    Map<String, String> joined = new LinkedHashMap<>();
    values.forEach((name, all) -> joined.put(name, String.join(SEPARATOR, all)));
    return joined;
  }
}
