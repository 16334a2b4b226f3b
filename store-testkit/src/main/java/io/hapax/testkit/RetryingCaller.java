package io.hapax.testkit;

import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** Repeats a call until it is answered, as every caller of a store does, up to a time limit. */
record RetryingCaller(Duration atMost) {

  private static final Duration PAUSE = Duration.ofMillis(2);

  /** Returns the first answer without an {@code Unavailable} part. */
  <A> List<A> untilAnswered(Callable<List<A>> verb) {
    return until(verb, answers -> answers.stream().noneMatch(RetryingCaller::isUnavailable));
  }

  /** Repeats the call until it returns true. */
  void untilTrue(Callable<Boolean> verb) {
    until(verb, Boolean.TRUE::equals);
  }

  private <A> A until(Callable<A> verb, Predicate<A> answered) {
    try {
      return await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(PAUSE)
          .atMost(atMost)
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(verb, answered);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("the store has not recovered in " + atMost, e);
    }
  }

  static boolean isUnavailable(Object answer) {
    return answer instanceof ClaimAnswer.Unavailable
        || answer instanceof RenewAnswer.Unavailable
        || answer instanceof SettleAnswer.Unavailable;
  }
}
