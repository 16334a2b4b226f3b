package io.hapax.console.view;

/**
 * A name and a value.
 *
 * @param name the name, or the key of its text
 * @param value the value; of {@code retention} an ISO duration
 */
public record Setting(String name, String value) {

  /** {@return whether the value is the key of a text, and not a name} */
  public boolean isKey() {
    return name.equals("writes") || name.equals("payloads");
  }
}
