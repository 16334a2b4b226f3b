package io.hapax.demo.sms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A slow provider of SMS, which has neither a key nor a query. The SMS is on its way as soon as a
 * call begins. All calls return when the scene lets the provider answer. Thread-safe.
 */
final class SmsProvider {

  private final List<String> sent = new ArrayList<>();
  private boolean answers;

  /** Sends an SMS for an order, and returns when the provider answers. */
  synchronized void send(String orderId) throws InterruptedException {
    sent.add(orderId);
    notifyAll();
    while (!answers) {
      wait();
    }
  }

  /** Waits until a number of calls has begun, and returns whether it has within the time. */
  synchronized boolean awaitCalls(int calls, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (sent.size() < calls) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /** Returns the order of each SMS. */
  synchronized List<String> sent() {
    return List.copyOf(sent);
  }

  /** Lets the provider answer all calls, now and later. */
  synchronized void answer() {
    answers = true;
    notifyAll();
  }
}
