package io.hapax.console.action;

import io.hapax.console.page.Links;
import io.hapax.operations.text.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a form, except the common ones such as the CSRF token. */
public record Fields(Map<String, List<String>> values) {

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
    return get(name).orElseThrow(() -> Text.of("field.missing", name).refusal());
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

  /** {@return the address of the page with the form, without the base; empty if it is unknown} */
  public String back() {
    return get("back").map(Links::own).orElse("");
  }
}
