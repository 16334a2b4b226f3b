package io.hapax.mark;

import java.time.Duration;
import java.util.function.Function;

/** How an owner ends its claim. */
public sealed interface Verdict {

  /** The longest reason that is kept with a dead mark, in UTF-8 bytes. */
  int MAX_REASON_BYTES = 1024;

  /**
   * The message took effect.
   *
   * @param result what a duplicate is answered with; may be empty
   */
  record Done(Bytes result) implements Verdict {
    /** Without a result. */
    public static final Done WITHOUT_RESULT = new Done(Bytes.EMPTY);
  }

  /**
   * The attempt failed; another may follow.
   *
   * @param after how long from now, by the store's clock, the next attempt must wait
   * @param inDoubt whether the failed attempt may have taken effect all the same
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
   * The handler asked for the message later, and nothing has happened: the attempt is given back,
   * and the mark is as little in doubt as before.
   *
   * @param after how long from now, by the store's clock, the next attempt must wait
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
   * The message will not be tried again; its dead-letter record has been acknowledged by the
   * broker. A mark that was lost does not become dead: its message is tried anew if it comes again.
   *
   * @param reason why, for people; at most {@value #MAX_REASON_BYTES} UTF-8 bytes are kept
   */
  record Dead(String reason) implements Verdict {}

  /**
   * Chooses by kind.
   *
   * @param done for {@link Done}
   * @param retry for {@link Retry}
   * @param defer for {@link Defer}
   * @param release for {@link Release}
   * @param dead for {@link Dead}
   * @param <R> what is computed
   * @return what the chosen function returned
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
