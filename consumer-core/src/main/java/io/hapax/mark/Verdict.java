package io.hapax.mark;

import java.time.Duration;
import java.util.function.Function;

/** How an owner settles its claim. */
public sealed interface Verdict {

  /** The longest reason in a DEAD mark, in UTF-8 bytes. */
  int MAX_REASON_BYTES = 1024;

  /**
   * The message took effect.
   *
   * @param result the result that duplicates receive; may be empty
   */
  record Done(Bytes result) implements Verdict {
    /** DONE without a result. */
    public static final Done WITHOUT_RESULT = new Done(Bytes.EMPTY);
  }

  /**
   * The attempt failed; another one may follow.
   *
   * @param after the wait until the next attempt, from now, by the store's clock
   * @param inDoubt whether the failed attempt may have taken effect
   */
  record Retry(Duration after, boolean inDoubt) implements Verdict {
    /**
     * Checks the rules above.
     *
     * @param after not negative
     * @param inDoubt whether in doubt
     */
    public Retry {
      if (after.isNegative()) {
        throw new IllegalArgumentException("retry delay is " + after + " but must not be negative");
      }
    }
  }

  /**
   * The handler deferred the message, and nothing has happened. The attempt is given back, and the
   * deferral does not put the mark in doubt.
   *
   * @param after the wait until the next attempt, from now, by the store's clock
   */
  record Defer(Duration after) implements Verdict {
    /**
     * Checks the rule above.
     *
     * @param after not negative
     */
    public Defer {
      if (after.isNegative()) {
        throw new IllegalArgumentException("deferral is " + after + " but must not be negative");
      }
    }
  }

  /** The handler was never started: the attempt is given back and the message is due at once. */
  record Release() implements Verdict {}

  /**
   * The message is not tried again, and the broker has acknowledged its dead-letter record. A mark
   * that was lost does not become DEAD: if its message is redelivered, it runs.
   *
   * @param reason why, for people; the mark holds at most {@value #MAX_REASON_BYTES} UTF-8 bytes
   */
  record Dead(String reason) implements Verdict {}

  /**
   * {@return the result of the function for the kind of this verdict}
   *
   * @param done for {@link Done}
   * @param retry for {@link Retry}
   * @param defer for {@link Defer}
   * @param release for {@link Release}
   * @param dead for {@link Dead}
   * @param <R> the type of the result
   */
  default <R> R match(
      Function<? super Done, ? extends R> done,
      Function<? super Retry, ? extends R> retry,
      Function<? super Defer, ? extends R> defer,
      Function<? super Release, ? extends R> release,
      Function<? super Dead, ? extends R> dead) {
    if (this instanceof Done it) {
      return done.apply(it);
    } else if (this instanceof Retry it) {
      return retry.apply(it);
    } else if (this instanceof Defer it) {
      return defer.apply(it);
    } else if (this instanceof Release it) {
      return release.apply(it);
    }
    return dead.apply((Dead) this);
  }
}
