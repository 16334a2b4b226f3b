package io.hapax.operations.redrive;

import io.hapax.errors.HapaxException;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;

/**
 * A message was not published again, or it is unknown whether it was. Its mark is reopened: redrive
 * its dead-letter record again.
 */
public final class RedriveFailedException extends HapaxException
    implements TextExceptions.WithText {

  private static final long serialVersionUID = 1L;

  private final transient Text text;

  /**
   * Makes an exception with its cause.
   *
   * @param message what happened
   * @param cause why
   */
  public RedriveFailedException(Text message, Throwable cause) {
    super(message.toString(), cause);
    this.text = message;
  }

  @Override
  public Text text() {
    return text;
  }
}
