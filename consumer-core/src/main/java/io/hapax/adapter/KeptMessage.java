package io.hapax.adapter;

/**
 * Gives the received object to the first call, so that this call costs nothing more. Every later
 * call gets an object that is read from kept bytes.
 *
 * @param <M> the broker's message
 */
public abstract class KeptMessage<M> implements Handout<M> {

  private M unchanged;
  private boolean given;

  /**
   * Keeps a message.
   *
   * @param received the object that no handler has got yet
   */
  protected KeptMessage(M received) {
    this.unchanged = received;
  }

  /**
   * {@return the object, made again: it shares nothing with the earlier ones that a handler can
   * change} Called by any thread, one at a time.
   */
  protected abstract M readAgain();

  @Override
  public final synchronized M received() {
    if (given) {
      unchanged = readAgain();
      given = false;
    }
    return unchanged;
  }

  @Override
  public final synchronized M next() {
    M message = received();
    given = true;
    return message;
  }

  @Override
  public final boolean isSpent() {
    return false;
  }
}
