package io.hapax.internal.shadow;

import io.hapax.IdExtractor;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.StaleMarkSettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.internal.Engine;
import io.hapax.internal.ReceiverEngine;
import io.hapax.internal.message.Identity;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.mark.Bytes;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Starts engines in shadow mode. */
public final class ShadowEngines {

  /** Nanoseconds of a longer one would not fit into a long. */
  private static final Duration MAX_LEASE = Duration.ofDays(36_500);

  private ShadowEngines() {}

  public static <M> ReceiverEngine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      HandlerStep.Handler<M> handler,
      Platform machine) {
    if (handler.takesMany()) {
      settings.checkBatchHandler();
    }
    InstantSource clock = machine.clock();
    ShadowCounts counts = new ShadowCounts(clock);
    Engine<ShadowRun<M>> observing = Engine.observing(observing(settings, counts), store, machine);
    ShadowObserver<M> observer =
        new ShadowObserver<>(observing, counts, settings.running().claimWindow());
    try {
      Duration retention = observing.settings().retention();
      Engine<ShadowRun<M>> runner = Engine.leased(
          running(settings, retention),
          new GrantingStore(clock, retention),
          new HandlerStep.Handler<>(
              new ShadowHandler<>(handler, settings.lease().lease()), handler.takesMany(), false),
          machine);
      EngineSettings.Reading<M> reading = settings.reading();
      Identity<M> identity = new Identity<>(
          new MessageKeys(new ConsumerScope(settings.scope(), 0).joined()),
          reading.ids(),
          reading.missingIds(),
          reading.fingerprint());
      return new ShadowEngine<>(
          settings,
          settings.forAdapters(false, handler.takesMany(), retention),
          identity,
          runner,
          observer);
    } catch (RuntimeException | Error e) {
      observer.close();
      throw e;
    }
  }

  /** The id of each run is its own, so that no copy waits for another one. */
  private static <M> EngineSettings<ShadowRun<M>> running(
      EngineSettings<M> settings, Duration retention) {
    AtomicLong runs = new AtomicLong();
    return of(
        settings,
        run -> Optional.of(Bytes.utf8("run " + runs.incrementAndGet())),
        longest(settings.lease(), retention),
        settings.running().workerThreads(),
        settings.reporting().listeners(),
        Optional.empty());
  }

  private static <M> EngineSettings<ShadowRun<M>> observing(
      EngineSettings<M> settings, ShadowCounts counts) {
    return of(
        settings,
        run -> run.key.map(MessageKey::id),
        settings.lease(),
        Optional.empty(),
        List.of(counts),
        settings.reporting().staleMarks());
  }

  /** Without everything by which Hapax would end a message in another way than its handler. */
  private static <M> EngineSettings<ShadowRun<M>> of(
      EngineSettings<M> settings,
      IdExtractor<ShadowRun<M>> ids,
      LeaseSettings lease,
      Optional<ThreadFactory> workerThreads,
      List<ReceiverListener> listeners,
      Optional<StaleMarkSettings> staleMarks) {
    RetrySettings retry = settings.failing().retry();
    EngineSettings.Running<M> running = settings.running();
    return new EngineSettings<>(
        settings.scope(),
        new EngineSettings.Reading<>(
            ids,
            MissingIdPolicy.COORDINATES,
            run -> run.fingerprint.orElse(Fingerprint.NONE),
            MissingFingerprintPolicy.NOT_COMPARED,
            Optional.of(conflict -> ConflictPolicy.Decision.DROP),
            TooOldPolicy.PROCESS),
        lease,
        new EngineSettings.Failing(
            new RetrySettings(
                Integer.MAX_VALUE,
                retry.firstBackoff(),
                retry.maxBackoff(),
                retry.waits(),
                retry.maxDeferral()),
            error -> false),
        new EngineSettings.Running<>(
            running.workers(),
            workerThreads,
            running.drainTimeout(),
            Optional.empty(),
            UnknownOutcomePolicy.rerun(),
            running.claimWindow()),
        new EngineSettings.Answering<>(settings.answering().resultLimit(), Optional.empty()),
        new EngineSettings.Reporting<>(
            Optional.empty(), settings.reporting().deadLetterTimeout(), listeners, staleMarks));
  }

  /** A lease that ends in no pause of the process: no other process can take the message over. */
  private static LeaseSettings longest(LeaseSettings lease, Duration retention) {
    Duration longest = retention.minusNanos(1);
    return new LeaseSettings(
        longest.compareTo(MAX_LEASE) < 0 ? longest : MAX_LEASE,
        lease.renewInterval(),
        lease.margin());
  }
}
