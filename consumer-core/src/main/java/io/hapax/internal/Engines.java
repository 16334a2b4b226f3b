package io.hapax.internal;

import io.hapax.TransactionalHandler;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.util.List;

/** Starts engines for the different kinds of handlers. */
public final class Engines {

  private Engines() {}

  public static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      HandlerStep.Handler<M> handler,
      Platform machine) {
    if (handler.takesMany()) {
      settings.checkBatchHandler();
    }
    return new EngineAssembler<>(settings, store, machine, false).leased(handler);
  }

  /** Starts an engine that claims and marks what another engine runs. */
  public static <M extends ObservedStart.Observed> Engine<M> observing(
      EngineSettings<M> settings, DedupStore store, Platform machine) {
    return EngineAssembler.observing(new EngineAssembler<>(settings, store, machine, false));
  }

  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Platform machine) {
    settings.checkTransactionalMode();
    refusesNothing(store);
    return new EngineAssembler<>(settings, store, machine, true).transactional(store, handler);
  }

  /** Fails now, and not at the first message, if the store is configured as not transactional. */
  private static <T> void refusesNothing(TransactionalDedupStore<T> store) {
    var unused = store.runOnce(List.of(), (transaction, answers) -> {});
  }
}
