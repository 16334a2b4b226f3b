package io.hapax.testkit;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sends a verb again until it is answered, as every caller of a store does, but not for ever. */
record Patience(Duration atMost) {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** The first answer in which no part of the store was unavailable. */
  <A> List<A> untilAnswered(Callable<List<A>> verb) throws Exception {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      try {
        List<A> answers = verb.call();
        if (answers.stream().noneMatch(Patience::isUnavailable)) {
          return answers;
        } else if (System.nanoTime() > end) {
          throw new AssertionError("after " + atMost + " the store still answers " + answers);
        }
      } catch (StoreException e) {
        if (System.nanoTime() > end) {
          throw new AssertionError("the store has not recovered in " + atMost, e);
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Goes on until the answer is yes. */
  void untilTrue(Callable<Boolean> verb) throws Exception {
    long end = System.nanoTime() + atMost.toNanos();
    while (!untilAnswered(() -> List.of(verb.call())).get(0)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after " + atMost + " the store still does not do it");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  static boolean isUnavailable(Object answer) {
    return answer instanceof ClaimAnswer.Unavailable
        || answer instanceof RenewAnswer.Unavailable
        || answer instanceof SettleAnswer.Unavailable;
  }
}
