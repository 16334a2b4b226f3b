package io.hapax.store;

import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the listeners of a store, for its author. Free without listeners; thread-safe. */
public final class StoreListeners implements ListenableStore, StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(StoreListeners.class);

  /** By registration, because the same listener may be registered twice. */
  private final Map<Registration, StoreListener> listeners = new ConcurrentHashMap<>();

  /** Begins without listeners. */
  public StoreListeners() {}

  /**
   * The implementation of a verb.
   *
   * @param <R> its answer
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Body<R, X extends Exception> {

    /**
     * Runs the verb.
     *
     * @return the answer
     * @throws X if the work of a transactional verb failed
     */
    R run() throws X;
  }

  @Override
  public Registration listen(StoreListener listener) {
    Registration registration = new Registration() {
      @Override
      public void close() {
        listeners.remove(this);
      }
    };
    listeners.put(registration, listener);
    return registration;
  }

  /**
   * Runs a verb, and notifies the listeners of its result.
   *
   * @param verb the verb
   * @param marks the number of marks in the call
   * @param body the implementation of the verb
   * @param <R> its answer
   * @param <X> what it may throw
   * @return the answer of {@code body}
   * @throws X what {@code body} threw
   */
  public <R, X extends Exception> R call(StoreCall.Verb verb, int marks, Body<R, X> body) throws X {
    if (listeners.isEmpty()) {
      return body.run();
    }
    long begin = SystemTime.INSTANCE.nanos();
    Optional<StoreCall.ErrorKind> error = Optional.of(StoreCall.ErrorKind.CALLER);
    int unavailable = 0;
    try {
      R answer = body.run();
      unavailable = unavailable(answer);
      error = Optional.empty();
      return answer;
    } catch (RuntimeException e) {
      error = Optional.of(StoreCall.ErrorKind.of(e));
      throw e;
    } finally {
      Duration took = Duration.ofNanos(SystemTime.INSTANCE.nanos() - begin);
      onCall(new StoreCall(verb, marks, unavailable, took, error));
    }
  }

  @Override
  public void onCall(StoreCall call) {
    notifyEach(it -> it.onCall(call));
  }

  @Override
  public void onDataLost(StoreLoss loss) {
    notifyEach(it -> it.onDataLost(loss));
  }

  @Override
  public void onForgotten(int marks) {
    notifyEach(it -> it.onForgotten(marks));
  }

  private void notifyEach(Consumer<StoreListener> event) {
    for (StoreListener listener : listeners.values()) {
      try {
        event.accept(listener);
      } catch (Throwable e) { // one in another language may throw any
        LOG.warn("A store listener threw", e);
      }
    }
  }

  private static int unavailable(Object answer) {
    if (answer instanceof SettleAnswer.Unavailable) {
      return 1;
    }
    int count = 0;
    if (answer instanceof List<?> answers) {
      for (Object each : answers) {
        if (each instanceof ClaimAnswer.Unavailable
            || each instanceof RenewAnswer.Unavailable
            || each instanceof SettleAnswer.Unavailable) {
          count++;
        }
      }
    }
    return count;
  }
}
