package io.hapax.demo.scene;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A slow provider of SMS, which has neither a key nor a query. The SMS is on its way as soon as a
 * call begins. All calls return when the scene lets the provider answer. Thread-safe.
 */
final class SmsProvider {

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Semaphore calls = new Semaphore(0);
  private final CountDownLatch answer = new CountDownLatch(1);

  /** Sends an SMS for an order, and returns when the provider answers. */
  void send(String orderId) throws InterruptedException {
    sent.add(orderId);
    calls.release();
    answer.await();
  }

  /** Waits until another call has begun, and returns whether it has within the time. */
  boolean awaitCall(Duration atMost) throws InterruptedException {
    return calls.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  List<String> sent() {
    return List.copyOf(sent);
  }

  /** Lets the provider answer all calls, now and later. */
  void answer() {
    answer.countDown();
  }
}
