package io.hapax.internal;

import io.hapax.TransactionalHandler;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
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
      boolean takesMany,
      Ticker ticker) {
    return leased(settings, store, handler, takesMany, Platform.with(ticker));
  }

  /** Starts an engine in leased mode whose handler takes one message, or several, in one call. */
  static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      HandlerStep.Handler<M> handler,
      boolean takesMany,
      Platform machine) {
    if (takesMany) {
      settings.checkBatchHandler();
    }
    return new EngineAssembler<>(settings, store, machine, false).leased(handler, takesMany);
  }

  /** Starts an engine that claims and marks what another engine runs. */
  public static <M extends ObservedStart.Observed> Engine<M> observing(
      EngineSettings<M> settings, DedupStore store, Ticker ticker) {
    return EngineAssembler.observing(
        new EngineAssembler<>(settings, store, Platform.with(ticker), false));
  }

  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Ticker ticker) {
    return transactional(settings, store, handler, Platform.with(ticker));
  }

  static <M, T> Engine<M> transactional(
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
