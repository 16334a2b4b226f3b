package io.hapax.internal;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.MessageHandler;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.run.BatchTransaction;
import io.hapax.internal.run.EagerClaim;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.Step;
import io.hapax.internal.run.TransactionStep;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
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
    return leased(settings, store, handler, Platform.with(ticker));
  }

  static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Platform machine) {
    return leased(settings, store, machine, engine -> HandlerStep.single(engine, handler));
  }

  /** An engine in leased mode whose handler returns results. */
  public static <M> Engine<M> answering(
      EngineSettings<M> settings, DedupStore store, AnsweringHandler<M> handler, Ticker ticker) {
    return leased(
        settings, store, Platform.with(ticker), engine -> HandlerStep.answering(engine, handler));
  }

  /** An engine in leased mode whose handler takes many messages at once. */
  public static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Ticker ticker) {
    return leasedBatches(settings, store, handler, Platform.with(ticker));
  }

  static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Platform machine) {
    settings.refuseWhatHarmsABatch();
    return leased(settings, store, machine, engine -> HandlerStep.batch(engine, handler));
  }

  private static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      Platform machine,
      Function<Engine<M>, Step<M>> steps) {
    return new Engine<>(settings, store, machine, false, engine -> {
      Step<M> step = steps.apply(engine);
      return settings.running().onUnknownOutcome() instanceof UnknownOutcomePolicy.Rerun
          ? new EagerClaim<>(engine, step)::run
          : items -> engine.window().run(items, step);
    });
  }

  /** An engine in transactional mode. */
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
    settings.refuseWhatNeedsLeasedMode();
    refusesNothing(store);
    return new Engine<>(settings, store, machine, true, engine -> {
      EagerClaim<M> claimedFirst =
          new EagerClaim<>(engine, new TransactionStep<>(engine, store, handler));
      BatchTransaction<M, T> batches = new BatchTransaction<>(engine, store, handler);
      return items -> {
        List<InFlightMessage<M>> probation =
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
