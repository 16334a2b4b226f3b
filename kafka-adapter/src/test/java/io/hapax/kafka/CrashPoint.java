package io.hapax.kafka;

import io.hapax.kafka.internal.RecordPlace;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Where a receiver that copies records from one topic to another stops. When one of each kind has
 * reached its point, their process dies.
 */
enum CrashPoint {
  BEFORE_CLAIM,
  AFTER_CLAIM,
  IN_HANDLER,
  BEFORE_COMMIT,
  AFTER_COMMIT,
  AFTER_DONE;

  private static final CountDownLatch TO_REACH = new CountDownLatch(values().length);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  /** Does not return: the process is about to die. */
  static void reached() throws InterruptedException {
    TO_REACH.countDown();
    NEVER.await();
  }

  static void awaitAll() throws InterruptedException {
    TO_REACH.await();
  }

  /** Stops in calls of the store. */
  Object inStore(String method, Object[] arguments, Hook.Call call) throws Throwable {
    boolean claims = method.equals("claim") && claimsRecords((List<?>) arguments[0]);
    boolean completes = method.equals("settle") && completes((List<?>) arguments[0]);
    if ((claims && this == BEFORE_CLAIM) || (completes && this == AFTER_COMMIT)) {
      reached();
    }
    Object answers = call.proceed();
    if ((claims && this == AFTER_CLAIM) || (completes && this == AFTER_DONE)) {
      reached();
    }
    return answers;
  }

  private static boolean claimsRecords(List<?> requests) {
    return requests.stream()
        .anyMatch(it -> it instanceof ClaimRequest request
            && RecordPlace.of(request.origin().coordinates()).isPresent());
  }

  private static boolean completes(List<?> settlements) {
    return settlements.stream()
        .anyMatch(it ->
            it instanceof Settlement settlement && settlement.verdict() instanceof Verdict.Done);
  }

  /** Stops in calls of the producer. */
  Object inProducer(String method, Object[] arguments, Hook.Call call) throws Throwable {
    if (method.equals("commitTransaction") && this == BEFORE_COMMIT) {
      reached();
    }
    return call.proceed();
  }
}
