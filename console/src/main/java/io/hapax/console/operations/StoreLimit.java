package io.hapax.console.operations;

import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Runs readings of a store on threads of its own, so that a caller waits for three seconds at most.
 * While a reading has not ended within that time, further ones fail at once, for a minute: readings
 * that hang do not pile up. Thread-safe; needs no close.
 */
public final class StoreLimit {

  /** The time limit of a reading. */
  public static final Duration LIMIT = Duration.ofSeconds(3);

  private static final int MOST = 32;
  private static final long IDLE_SECONDS = 2;

  private final LongSupplier nanoTime;
  private final Map<Object, Long> running = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), StoreLimit::thread);

  /** Creates a limit for one store. */
  public StoreLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hapax-console-store");
    thread.setDaemon(true);
    return thread;
  }

  /** {@return the store, with a limit on each call; for readings only} */
  public static DedupStore on(DedupStore store) {
    StoreLimit limit = new StoreLimit(System::nanoTime);
    return (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(),
        new Class<?>[] {DedupStore.class},
        (self, method, arguments) -> {
          try {
            return method.getName().equals("retention") // a setting: the server is not asked
                ? method.invoke(store, arguments)
                : limit.call(() -> method.invoke(store, arguments));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Text.of("store.interrupted").storeFailure(e);
          }
        });
  }

  /** A reading on a dead connection must not stop others for ever. */
  private boolean hangs(long begin) {
    Duration age = Duration.ofNanos(nanoTime.getAsLong() - begin);
    return age.compareTo(LIMIT) > 0 && age.compareTo(Duration.ofMinutes(1)) < 0;
  }

  /**
   * Returns the result of a reading.
   *
   * @throws StoreException if it does not end within the limit
   * @throws Exception if it fails
   */
  public <T> T call(Callable<T> reading) throws Exception {
    if (running.values().stream().anyMatch(this::hangs)) {
      throw Text.of("store.hangs").storeFailure();
    }
    FutureTask<T> call = new FutureTask<>(reading) {
      @Override
      protected void done() {
        running.remove(this);
      }
    };
    running.put(call, nanoTime.getAsLong());
    try {
      threads.execute(call);
      return call.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      running.remove(call);
      throw Text.of("store.busy", MOST).storeFailure();
    } catch (TimeoutException e) {
      throw Text.of("no-answer", LIMIT).storeFailure();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    }
  }
}
