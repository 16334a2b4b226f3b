package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.util.List;
import java.util.OptionalLong;

/**
 * The view of ids with two payloads.
 *
 * @param count the number of such messages; empty if unknown
 * @param source the source of the data: audit, letters or none
 * @param failure why the dead-letter topic could not be read; may be empty
 */
public record ConflictsView(
    OptionalLong count, List<Conflict> conflicts, String source, Text failure) {

  /** A message whose id is known with another payload. */
  public record Conflict(String id, String coordinates, Text detail) {}
}
