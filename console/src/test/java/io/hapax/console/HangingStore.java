package io.hapax.console;

import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that a test lets hang: calls wait until it answers again. */
public final class HangingStore {

  private final InMemoryDedupStore marks = new InMemoryDedupStore();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public DedupStore store() {
    return (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(), new Class<?>[] {DedupStore.class}, (self, it, args) -> {
          if (!it.getName().equals("retention")) {
            waiting.incrementAndGet();
            gate.await();
            waiting.decrementAndGet();
          }
          try {
            return it.invoke(marks, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  public InMemoryDedupStore marks() {
    return marks;
  }

  public void hang() {
    gate = new CountDownLatch(1);
  }

  public void answer() {
    gate.countDown();
  }

  int waiting() {
    return waiting.get();
  }
}
