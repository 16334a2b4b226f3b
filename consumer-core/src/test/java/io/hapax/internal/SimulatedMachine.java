package io.hapax.internal;

import io.hapax.BatchHandler;
import io.hapax.MessageHandler;
import io.hapax.TransactionalHandler;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.FailStop;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;

/**
 * The door through which the simulation hands an engine its own monotonic clock, threads and dice,
 * which are 0.0 to 1.0.
 */
public record SimulatedMachine(
    Ticker ticker,
    ExecutorService workers,
    ExecutorService callers,
    ScheduledExecutorService timer,
    DoubleSupplier dice) {

  private Platform machine() {
    InstantSource clock = () -> Instant.EPOCH.plusNanos(ticker.nanos());
    return new Platform(
        ticker,
        clock,
        (ticks, name, width, made) ->
            new Environment(ticks, dice, workers, callers, timer, new FailStop(name)));
  }

  /** The real engine in leased mode, on this machine. */
  public <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler) {
    return Engine.leased(settings, store, HandlerStep.Handler.single(handler), machine());
  }

  /** The real engine in leased mode with a handler for many messages, on this machine. */
  public <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler) {
    return Engine.leased(settings, store, HandlerStep.Handler.batch(handler, false), machine());
  }

  /** The real engine in transactional mode, on this machine. */
  public <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler) {
    return Engine.transactional(settings, store, handler, machine());
  }
}
