package io.hapax.operations.text;

import io.hapax.errors.AuditFailedException;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/** Finds the texts of exceptions. */
public final class TextExceptions {

  /** An exception whose message is a text, in English. */
  public interface WithText {

    /** {@return the message} */
    Text text();
  }

  private TextExceptions() {}

  /**
   * {@return the messages of an exception and of its causes, in one line} A cause that another
   * message repeats is left out. A message without a translation is shown unchanged, behind the
   * name of the part that failed.
   *
   * @param problem the exception
   */
  public static Text text(Throwable problem) {
    List<Text> reasons = new ArrayList<>();
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      Text reason = reason(cause);
      String line = Text.sanitize(reason.toString());
      if (reasons.stream().noneMatch(it -> Text.sanitize(it.toString()).contains(line))) {
        reasons.add(reason);
      }
    }
    return reasons.stream()
        .reduce((first, next) -> Text.of("because", first, next))
        .orElseThrow();
  }

  private static Text reason(Throwable cause) {
    if (cause instanceof WithText explained) {
      return explained.text();
    }
    String message = cause.getMessage();
    String reason =
        message == null || message.isBlank() ? cause.getClass().getSimpleName() : message.strip();
    if (cause instanceof StoreException) {
      return Text.of("failed.store", reason);
    }
    return cause instanceof AuditFailedException
        ? Text.of("failed.broker", reason)
        : Text.plain(reason);
  }

  static <T extends Throwable> T caused(T failure, Throwable... causes) {
    for (Throwable cause : causes) {
      failure.initCause(cause);
    }
    return failure;
  }

  static final class Refusal extends IllegalArgumentException implements WithText {

    private static final long serialVersionUID = 1L;

    private final transient Text text;

    Refusal(Text text) {
      super(text.toString());
      this.text = text;
    }

    @Override
    public Text text() {
      return text;
    }
  }

  static final class BrokerFailure extends AuditFailedException implements WithText {

    private static final long serialVersionUID = 1L;

    private final transient Text text;

    BrokerFailure(Text text) {
      super(text.toString());
      this.text = text;
    }

    @Override
    public Text text() {
      return text;
    }
  }

  static final class StoreFailure extends StoreException implements WithText {

    private static final long serialVersionUID = 1L;

    private final transient Text text;

    StoreFailure(Text text) {
      super(text.toString());
      this.text = text;
    }

    @Override
    public Text text() {
      return text;
    }
  }
}
