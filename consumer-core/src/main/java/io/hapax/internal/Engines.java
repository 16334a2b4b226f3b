package io.hapax.internal;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.MessageHandler;
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
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Ticker ticker) {
    return leased(settings, store, handler, Platform.with(ticker));
  }

  static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Platform machine) {
    return new EngineAssembler<>(settings, store, machine, false)
        .leased(HandlerStep.Handler.single(handler), false);
  }

  public static <M> Engine<M> answering(
      EngineSettings<M> settings, DedupStore store, AnsweringHandler<M> handler, Ticker ticker) {
    return new EngineAssembler<>(settings, store, Platform.with(ticker), false)
        .leased(HandlerStep.Handler.answering(handler), false);
  }

  /** Starts an engine in leased mode whose handler takes several messages in one call. */
  public static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Ticker ticker) {
    return leasedBatches(settings, store, handler, Platform.with(ticker));
  }

  static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Platform machine) {
    settings.checkBatchHandler();
    return new EngineAssembler<>(settings, store, machine, false)
        .leased(HandlerStep.Handler.batch(handler), true);
  }

  /** Starts an engine that claims and marks what another engine runs. */
  public static <M> Engine<M> observing(
      EngineSettings<M> settings, DedupStore store, ObservedStart.Runs<M> runs, Ticker ticker) {
    return new EngineAssembler<>(settings, store, Platform.with(ticker), false).observing(runs);
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
