package io.hapax.rocketmq.grpc;

import io.hapax.adapter.Submission;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Holds the submissions that are in flight, and abandons them when the receiver ends. */
final class OpenSubmissions {

  private final Set<Submission> submissions = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ending = new CountDownLatch(1);

  /** Remembers a submission; one that arrives too late is abandoned at once. */
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

  /** Abandons messages that have not started. */
  void end() {
    ending.countDown();
    submissions.forEach(Submission::abandon);
  }
}
