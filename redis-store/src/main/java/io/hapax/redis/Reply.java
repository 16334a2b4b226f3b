package io.hapax.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The outcome of one command. */
sealed interface Reply {

  /** The elements of the server's answer; null for a missing value. */
  record Answer(List<Object> content) implements Reply {

    /** Returns a field of the answer to {@code INFO}. */
    Optional<String> info(String field) {
      return RedisRequest.text(content.get(0))
          .lines()
          .filter(line -> line.startsWith(field + ':'))
          .map(line -> line.substring(field.length() + 1).strip())
          .findFirst();
    }
  }

  /**
   * The server refused the command or did not answer. Without an answer it is unknown whether the
   * command was executed.
   */
  record Failure(Throwable cause) implements Reply {

    private static final Pattern IN_SCRIPT =
        Pattern.compile("ERR Error running script .*: -(\\S+) ");

    /** Returns the text of the error reply, or of what happened instead of a reply. */
    String text() {
      return String.valueOf(cause.getMessage());
    }

    /**
     * Returns the code of the error reply, for example {@code READONLY}; any other text if it is no
     * reply. Redis 6.2 answers {@code ERR Error running script ..} to a failed script, whichever
     * command failed in it; the code of that command follows in the text.
     */
    String code() {
      Matcher script = IN_SCRIPT.matcher(text());
      return script.lookingAt() ? script.group(1) : text().split(" ", 2)[0];
    }

    /**
     * Returns whether the timeout of the store, or that of its client, expired without an answer.
     */
    boolean timedOut() {
      return cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException;
    }
  }
}
