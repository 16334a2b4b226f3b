package io.hapax;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.mark.Bytes;
import java.util.Arrays;
import java.util.Optional;

/**
 * The form in which an executor stores a result: behind one byte, so that an empty result differs
 * from one that the mark does not have.
 */
final class StoredResult {

  private static final byte PRESENT = 1;

  /** The bytes before the result. */
  static final int HEADER = 1;

  private StoredResult() {}

  static Bytes of(Bytes result) {
    byte[] stored = new byte[HEADER + result.length()];
    stored[0] = PRESENT;
    System.arraycopy(result.toByteArray(), 0, stored, HEADER, result.length());
    return Bytes.of(stored);
  }

  /** Returns the result; empty if the mark has none that an executor wrote. */
  static Optional<Bytes> read(Bytes stored) {
    byte[] content = stored.toByteArray();
    return content.length < HEADER || content[0] != PRESENT
        ? Optional.empty()
        : Optional.of(Bytes.of(Arrays.copyOfRange(content, HEADER, content.length)));
  }

  static Answer of(Answer answer) {
    return answer instanceof Answer.Applied applied ? Answer.applied(of(applied.result())) : answer;
  }
}
