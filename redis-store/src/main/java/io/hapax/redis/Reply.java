package io.hapax.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** What became of one command. */
sealed interface Reply {

  /**
   * The server answered.
   *
   * @param content the elements of its answer; an element that is null stands for nothing
   */
  record Answer(List<Object> content) implements Reply {}

  /**
   * The server refused it, or did not answer: then nobody knows whether it was executed.
   *
   * @param cause why
   */
  record Failure(Throwable cause) implements Reply {

    /** Whether no answer came in time, by the clock of the store or by that of its client. */
    boolean timedOut() {
      return cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException;
    }
  }
}
