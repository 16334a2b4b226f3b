package io.hapax.rocketmq.grpc;

import io.hapax.Submission;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What is in the hands of the receiver, and whether all this ends. */
final class UnderWay {

  private final Set<Submission> submissions = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ending = new CountDownLatch(1);

  /** Remembers it; one that came too late is given up at once. */
  void add(Submission submission) {
    submissions.add(submission);
    if (isEnding()) {
      submission.abandon();
    }
  }

  void remove(Submission submission) {
    submissions.remove(submission);
  }

  boolean isEnding() {
    return ending.getCount() == 0;
  }

  /** Waits so long, or until the end; true at the end. */
  boolean endsWithin(Duration wait) throws InterruptedException {
    return ending.await(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Gives up what has not started. */
  void end() {
    ending.countDown();
    submissions.forEach(Submission::abandon);
  }
}
