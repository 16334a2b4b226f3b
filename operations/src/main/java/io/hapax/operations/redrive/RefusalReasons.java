package io.hapax.operations.redrive;

import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.operations.text.Text;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides whether a mark may be changed, and says why not. Reads the store's time only for a mark
 * that is PROCESSING.
 */
final class RefusalReasons {

  private static final Optional<Text> NO_MARK = Optional.of(Text.of("mark.none"));
  private static final Optional<Text> DONE = Optional.of(Text.of("mark.done"));

  private final Supplier<Instant> now;

  RefusalReasons(Supplier<Instant> now) {
    this.now = now;
  }

  /** Returns why the message of a mark must not be redelivered. */
  Optional<Text> ofDelivery(Optional<Mark> found) {
    if (found.isEmpty()) {
      return NO_MARK;
    }
    return found.get().state() == MarkState.DONE ? DONE : ofHolder(found.get());
  }

  /** Returns why a resolution does not change a mark. */
  Optional<Text> ofDecision(Optional<Mark> found, Resolution resolution) {
    if (found.isEmpty()) {
      return NO_MARK;
    }
    Mark mark = found.get();
    Resolution.Kind kind = resolution.kind();
    if (kind == Resolution.Kind.DONE_ANY_PAYLOAD) {
      return ofKeepingDone(mark);
    } else if (kind == Resolution.Kind.FORGET) {
      return ofForgetting(mark);
    } else if (mark.state() == MarkState.DONE) {
      return kind == Resolution.Kind.REOPEN_ANY_PAYLOAD ? Optional.empty() : DONE;
    }
    return resolution.forced() ? Optional.empty() : ofHolder(mark);
  }

  private static Optional<Text> ofKeepingDone(Mark mark) {
    if (mark.state() != MarkState.DONE) {
      return Optional.of(Text.of("mark.not-done"));
    }
    return mark.claim().fingerprint().equals(Fingerprint.NONE)
        ? Optional.of(Text.of("mark.any-payload"))
        : Optional.empty();
  }

  private static Optional<Text> ofForgetting(Mark mark) {
    if (mark.state() != MarkState.DONE) {
      return Optional.of(Text.of("mark.needed"));
    }
    return mark.detail().equals(Bytes.EMPTY)
        ? Optional.of(Text.of("mark.no-result"))
        : Optional.empty();
  }

  private Optional<Text> ofHolder(Mark mark) {
    return mark.state() == MarkState.PROCESSING && mark.leasedAt(now.get())
        ? Optional.of(Text.of("mark.held", mark.claim().origin().owner(), mark.until()))
        : Optional.empty();
  }
}
