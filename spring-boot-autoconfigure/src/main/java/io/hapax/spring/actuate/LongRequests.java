package io.hapax.spring.actuate;

import io.hapax.audit.AuditProgress;
import io.hapax.errors.HapaxException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Runs requests that may take long: one at a time, each on a thread of its own, and within a time
 * limit. A request that is cut off is interrupted. Thread-safe.
 */
final class LongRequests {

  private final Duration timeout;
  private final Semaphore permits = new Semaphore(1);

  LongRequests(Duration timeout) {
    this.timeout = timeout;
  }

  /** Work that can be interrupted. */
  interface Work {
    Object result(AuditProgress progress) throws InterruptedException;
  }

  /**
   * Runs a request.
   *
   * @return its result; status 429 while another one runs, 400 if it cannot be fulfilled, and 503
   *     if the brokers or the store do not answer, or the time is up
   */
  WebEndpointResponse<Object> run(String consumer, Work work) {
    if (!permits.tryAcquire()) {
      return refused(429, consumer, "another request reads a topic: repeat this one later");
    }
    Progress progress = new Progress();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> answer(work, progress, answer), "hapax-endpoint");
    thread.setDaemon(true);
    thread.start();
    try {
      return new WebEndpointResponse<>(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return refused(
          503,
          consumer,
          "cut off after hapax.management.timeout of " + timeout + progress
              + ": set a lower limit. A redrive may have published some messages; repeat it");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return failed(consumer, cause == null ? e : cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refused(503, consumer, "the thread of the request was interrupted");
    } finally {
      thread.interrupt();
    }
  }

  private void answer(Work work, AuditProgress progress, CompletableFuture<Object> answer) {
    try {
      answer.complete(result(work, progress));
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  /**
   * Permits the next request when this one has ended, also if it was cut off, and before it is
   * answered: a client with an answer can send its next request.
   */
  private Object result(Work work, AuditProgress progress) throws InterruptedException {
    try {
      return work.result(progress);
    } finally {
      permits.release();
    }
  }

  private static WebEndpointResponse<Object> failed(String consumer, Throwable cause) {
    if (cause instanceof IllegalArgumentException) {
      return refused(400, consumer, String.valueOf(cause.getMessage()));
    } else if (cause instanceof HapaxException) {
      return refused(503, consumer, String.valueOf(cause.getMessage()));
    }
    throw new IllegalStateException("the request failed", cause);
  }

  static WebEndpointResponse<Object> refused(int status, String consumer, String why) {
    return new WebEndpointResponse<>(new TopicRefusal(consumer, why), status);
  }

  /** Remembers how far an audit is. */
  private static final class Progress implements AuditProgress {

    private volatile String text = "";

    @Override
    public void at(long done, long all) {
      text = ", at " + done + " of " + all + " offsets";
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
