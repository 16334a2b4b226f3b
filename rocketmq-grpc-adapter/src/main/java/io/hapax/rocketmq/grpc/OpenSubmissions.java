package io.hapax.rocketmq.grpc;

import io.hapax.adapter.Submission;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** What is in the hands of the receiver, and whether all this ends. */
final class OpenSubmissions {

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

  /** Gives up what has not started. */
  void end() {
    ending.countDown();
    submissions.forEach(Submission::abandon);
  }
}
