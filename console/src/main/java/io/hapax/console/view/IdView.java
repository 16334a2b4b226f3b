package io.hapax.console.view;

import io.hapax.operations.lookup.MessageAnswer;
import java.util.List;
import java.util.Optional;

/**
 * The view of one message id.
 *
 * @param results the answers: for the id as it was typed, and for other ids that it may name
 * @param topic the topic that can be searched; empty if none can
 */
public record IdView(List<Result> results, String topic) {

  /**
   * An answer, with its parts as rows.
   *
   * @param bytes the id as {@code 0x} and hexadecimal digits
   */
  public record Result(
      MessageAnswer answer, String bytes, Optional<MarkRow> mark, List<LetterRow> letters) {}
}
