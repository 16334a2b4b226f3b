package io.hapax.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The outcome of one command. */
sealed interface Reply {

  /**
   * The server answered.
   *
   * @param content the elements of its answer; null for a missing value
   */
  record Answer(List<Object> content) implements Reply {}

  /**
   * The server refused the command or did not answer. Without an answer it is unknown whether the
   * command was executed.
   *
   * @param cause why
   */
  record Failure(Throwable cause) implements Reply {

    /**
     * Returns whether the timeout of the store, or that of its client, expired without an answer.
     */
    boolean timedOut() {
      return cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException;
    }
  }
}
