package io.hapax.adapter;

/** Gives the message to one call. */
final class GivenOnce<M> implements Handout<M> {

  private final M message;
  private volatile boolean given;

  GivenOnce(M message) {
    this.message = message;
  }

  @Override
  public M received() {
    return message;
  }

  @Override
  public M next() {
    if (given) {
      throw new IllegalStateException(
          "an earlier call may have changed it, and its bytes were not kept");
    }
    given = true;
    return message;
  }

  @Override
  public boolean isSpent() {
    return given;
  }

  @Override
  public String toString() {
    return String.valueOf(message);
  }
}
