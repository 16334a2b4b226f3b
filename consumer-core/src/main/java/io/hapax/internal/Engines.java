package io.hapax.internal;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.MessageHandler;
import io.hapax.StalePolicy;
import io.hapax.TransactionalHandler;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.util.List;
import java.util.function.Function;

/** Starts engines: one kind for each kind of handler. */
public final class Engines {

  private Engines() {}

  /** An engine in leased mode. */
  public static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Ticker ticker) {
    return leased(settings, store, handler, Machine.with(ticker));
  }

  static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Machine machine) {
    return leased(settings, store, machine, engine -> HandlerStep.single(engine, handler));
  }

  /** An engine in leased mode whose handler returns results. */
  public static <M> Engine<M> answering(
      EngineSettings<M> settings, DedupStore store, AnsweringHandler<M> handler, Ticker ticker) {
    return leased(
        settings, store, Machine.with(ticker), engine -> HandlerStep.answering(engine, handler));
  }

  /** An engine in leased mode whose handler takes many messages at once. */
  public static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Ticker ticker) {
    return leasedBatches(settings, store, handler, Machine.with(ticker));
  }

  static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Machine machine) {
    settings.refuseWhatHarmsABatch();
    return leased(settings, store, machine, engine -> HandlerStep.batch(engine, handler));
  }

  private static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      Machine machine,
      Function<Engine<M>, Step<M>> steps) {
    return new Engine<>(settings, store, machine, false, engine -> {
      Step<M> step = steps.apply(engine);
      return settings.running().stalePolicy() instanceof StalePolicy.Rerun
          ? new WholeClaim<>(engine, step)::run
          : items -> engine.window().run(items, step);
    });
  }

  /** An engine in transactional mode. */
  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Ticker ticker) {
    return transactional(settings, store, handler, Machine.with(ticker));
  }

  static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Machine machine) {
    settings.refuseWhatNeedsLeasedMode();
    refusesNothing(store);
    return new Engine<>(settings, store, machine, true, engine -> {
      WholeClaim<M> claimedFirst =
          new WholeClaim<>(engine, new TransactionStep<>(engine, store, handler));
      BatchTransaction<M, T> batches = new BatchTransaction<>(engine, store, handler);
      return items -> {
        List<Item<M>> probation =
            items.stream().filter(it -> it.incoming.probation()).toList();
        claimedFirst.run(probation);
        batches.run(items.stream().filter(it -> !it.incoming.probation()).toList());
      };
    });
  }

  /** A store that was told never to be transactional says so now, not at the first message. */
  private static <T> void refusesNothing(TransactionalDedupStore<T> store) {
    var unused = store.runOnce(List.of(), (transaction, answers) -> {});
  }
}
