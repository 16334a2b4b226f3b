package io.hapax.console;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of an HTTP server of the JDK, which reads a request on one of them and waits for its
 * client without a limit. This executor limits that time: it interrupts the thread, which closes
 * the connection. Each waiting client occupies a thread, so there are many of them. Thread-safe.
 */
final class RequestThreads implements Executor, AutoCloseable {

  /** How long a server waits for its client: for a request, and then for the response. */
  static final Duration LIMIT = Duration.ofSeconds(20);

  private static final ThreadLocal<@Nullable Wait> CURRENT = new ThreadLocal<>();
  private static final int MOST = 512;
  private static final Duration IDLE = Duration.ofSeconds(2);

  private final Duration limit;
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor watch;

  /**
   * Makes threads.
   *
   * @param limit how long a request, and then its response, may take
   */
  RequestThreads(String name, Duration limit) {
    this.limit = limit;
    ThreadFactory factory = work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
    threads = new ThreadPoolExecutor(
        MOST, MOST, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
    // A stream that ends with the server needs no limit any more.
    watch = new ScheduledThreadPoolExecutor(1, factory, new ThreadPoolExecutor.DiscardPolicy());
    watch.setRemoveOnCancelPolicy(true);
  }

  /** Runs an exchange. The limit begins at once. */
  @Override
  public void execute(Runnable exchange) {
    threads.execute(() -> {
      CURRENT.set(new Wait());
      await();
      try {
        exchange.run();
      } finally {
        proceed();
        CURRENT.remove();
      }
    });
  }

  /** Begins a limit: from now on the thread of this exchange waits for its client. */
  static void await() {
    Wait wait = CURRENT.get();
    if (wait != null) {
      wait.begin();
    }
  }

  /** Ends the limit: from now on the thread of this exchange does not wait for its client. */
  static void proceed() {
    Wait wait = CURRENT.get();
    if (wait != null) {
      wait.end();
    }
  }

  /** Interrupts all threads. */
  @Override
  public void close() {
    watch.shutdownNow();
    threads.shutdownNow();
  }

  /** The limit of one thread. The lock protects against an interrupt after its end. */
  private final class Wait {

    private final Thread thread = Thread.currentThread();
    private @Nullable Object round;
    private @Nullable Future<?> timer;
    private boolean expired;

    synchronized void begin() {
      end();
      Object begun = new Object();
      round = begun;
      timer = watch.schedule(() -> expire(begun), limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    synchronized void expire(Object of) {
      if (of == round) {
        expired = true;
        thread.interrupt();
      }
    }

    synchronized void end() {
      round = null;
      if (timer != null) {
        timer.cancel(false);
      }
      if (expired) {
        expired = false;
        Thread.interrupted();
      }
    }
  }
}
