package io.hapax.operations.replay;

import io.hapax.errors.HapaxException;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;

/** A group was not moved because the move would be unsafe. Nothing was changed. */
public final class ReplayRefusedException extends HapaxException
    implements TextExceptions.WithText {

  private static final long serialVersionUID = 1L;

  private final transient Text text;

  /**
   * Makes an exception with its message.
   *
   * @param message why not
   */
  public ReplayRefusedException(Text message) {
    super(message.toString());
    this.text = message;
  }

  @Override
  public Text text() {
    return text;
  }
}
