package io.hapax.console.operations;

import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs readings of a store on threads of its own, so that a caller waits for three seconds at most.
 * While a reading has not ended within that time, further ones fail at once, for a minute: readings
 * that hang do not pile up. Thread-safe; needs no close.
 */
public final class StoreLimit {

  /** The time limit of a reading. */
  public static final Duration LIMIT = Duration.ofSeconds(3);

  /** The time after which a reading that hangs, such as on a dead connection, stops no other. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(1);

  private static final int MOST = 32;
  private static final long IDLE_SECONDS = 2;

  private final Set<Call<?>> running = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), StoreLimit::thread);

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hapax-console-store");
    thread.setDaemon(true);
    return thread;
  }

  /** {@return the store, with a limit on each call; for readings only} */
  public static DedupStore on(DedupStore store) {
    StoreLimit limit = new StoreLimit();
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
            throw new StoreException("the reading was interrupted", e);
          }
        });
  }

  /** A reading that has not ended. */
  private final class Call<T> extends FutureTask<T> {

    private final long begin = System.nanoTime();

    Call(Callable<T> reading) {
      super(reading);
    }

    boolean hangs() {
      long age = System.nanoTime() - begin;
      return age > LIMIT.toNanos() && age < FORGOTTEN.toNanos();
    }

    @Override
    protected void done() {
      running.remove(this);
    }
  }

  /**
   * Returns the result of a reading.
   *
   * @throws StoreException if it does not end within the limit
   * @throws Exception if it fails
   */
  public <T> T call(Callable<T> reading) throws Exception {
    if (running.stream().anyMatch(Call::hangs)) {
      throw new StoreException("an earlier reading has no answer yet");
    }
    Call<T> call = new Call<>(reading);
    running.add(call);
    try {
      threads.execute(call);
      return call.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      running.remove(call);
      throw new StoreException(MOST + " readings have no answer yet");
    } catch (TimeoutException e) {
      throw new StoreException("no answer within " + LIMIT.toSeconds() + " s");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    }
  }
}
