package io.hapax.store;

import io.hapax.internal.SystemTime;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of one store, for its author. Costs nothing while nobody listens. Thread-safe. */
public final class StoreListeners implements ListenableStore, StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(StoreListeners.class);

  private final List<StoreListener> listeners = new CopyOnWriteArrayList<>();

  /** Nobody listens yet. */
  public StoreListeners() {}

  /**
   * What a verb does.
   *
   * @param <R> its answer
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Body<R, X extends Exception> {

    /**
     * Does it.
     *
     * @return the answer
     * @throws X if the work of a transactional verb failed
     */
    R run() throws X;
  }

  @Override
  public Registration listen(StoreListener listener) {
    StoreListener own = new Forwarding(listener); // so that only this registration is ended
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  /**
   * Runs a verb, and tells how it went.
   *
   * @param verb what the store was asked to do
   * @param marks how many marks it is about
   * @param body the verb
   * @param <R> its answer
   * @param <X> what it may throw
   * @return what the body returned
   * @throws X what the body threw
   */
  public <R, X extends Exception> R call(StoreVerb verb, int marks, Body<R, X> body) throws X {
    if (listeners.isEmpty()) {
      return body.run();
    }
    long begin = SystemTime.INSTANCE.nanos();
    Optional<StoreTrouble> trouble = Optional.of(StoreTrouble.CALLER);
    int unavailable = 0;
    try {
      R answer = body.run();
      unavailable = unavailable(answer);
      trouble = Optional.empty();
      return answer;
    } catch (RuntimeException e) {
      trouble = Optional.of(StoreTrouble.of(e));
      throw e;
    } finally {
      Duration took = Duration.ofNanos(SystemTime.INSTANCE.nanos() - begin);
      onCall(new StoreCall(verb, marks, unavailable, took, trouble));
    }
  }

  @Override
  public void onCall(StoreCall call) {
    tell(it -> it.onCall(call));
  }

  @Override
  public void onDataLost(StoreLoss loss) {
    tell(it -> it.onDataLost(loss));
  }

  @Override
  public void onForgotten(int marks) {
    tell(it -> it.onForgotten(marks));
  }

  private void tell(Consumer<StoreListener> event) {
    for (StoreListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
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

  /** One registration; equal to itself only. */
  private static final class Forwarding implements StoreListener {

    private final StoreListener to;

    Forwarding(StoreListener to) {
      this.to = to;
    }

    @Override
    public void onCall(StoreCall call) {
      to.onCall(call);
    }

    @Override
    public void onDataLost(StoreLoss loss) {
      to.onDataLost(loss);
    }

    @Override
    public void onForgotten(int marks) {
      to.onForgotten(marks);
    }
  }
}
