package io.hapax.internal.shadow;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.LeaseSettings;
import io.hapax.MessageHandler;
import io.hapax.RetrySettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.errors.PartlyHandledException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.Engine;
import io.hapax.internal.Engines;
import io.hapax.internal.ReceiverEngine;
import io.hapax.internal.handler.ConversionErrors;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Nonce;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Starts engines in shadow mode for the different kinds of handlers. */
public final class ShadowEngines {

  /** Nanoseconds of a longer one would not fit into a long. */
  private static final Duration MAX_LEASE = Duration.ofDays(36_500);

  private ShadowEngines() {}

  public static <M> ReceiverEngine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Ticker ticker) {
    Duration lease = settings.lease().lease();
    MessageHandler<Shadowed<M>> mapped = delivery -> {
      var unused = run(List.of(delivery), () -> {
        handler.handle(of(delivery, lease));
        return Bytes.EMPTY;
      });
    };
    return start(settings, store, ticker, (mine, all) -> Engines.leased(mine, all, mapped, ticker));
  }

  public static <M> ReceiverEngine<M> answering(
      EngineSettings<M> settings, DedupStore store, AnsweringHandler<M> handler, Ticker ticker) {
    Duration lease = settings.lease().lease();
    AnsweringHandler<Shadowed<M>> mapped =
        delivery -> run(List.of(delivery), () -> handler.handle(of(delivery, lease)));
    return start(
        settings, store, ticker, (mine, all) -> Engines.answering(mine, all, mapped, ticker));
  }

  public static <M> ReceiverEngine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Ticker ticker) {
    settings.checkBatchHandler();
    Duration lease = settings.lease().lease();
    BatchHandler<Shadowed<M>> mapped = deliveries -> {
      var unused = run(deliveries, () -> {
        handler.handle(deliveries.stream().map(it -> of(it, lease)).toList());
        return Bytes.EMPTY;
      });
    };
    return start(
        settings, store, ticker, (mine, all) -> Engines.leasedBatches(mine, all, mapped, ticker));
  }

  private static <M> ReceiverEngine<M> start(
      EngineSettings<M> settings,
      DedupStore store,
      Ticker ticker,
      BiFunction<EngineSettings<Shadowed<M>>, DedupStore, Engine<Shadowed<M>>> runner) {
    ShadowObserver<M> observer = new ShadowObserver<>(settings, store, ticker);
    try {
      Duration retention = store.retention();
      GrantingStore all = new GrantingStore(Platform.with(ticker).clock(), retention);
      return new ShadowEngine<>(
          settings, runner.apply(running(settings, retention), all), observer);
    } catch (RuntimeException | Error e) {
      observer.close();
      throw e;
    }
  }

  /** Without everything by which Hapax would end a message in another way than its handler. */
  private static <M> EngineSettings<Shadowed<M>> running(
      EngineSettings<M> settings, Duration retention) {
    RetrySettings retry = settings.failing().retry();
    EngineSettings.Running<M> running = settings.running();
    return new EngineSettings<>(
        settings.scope(),
        new EngineSettings.Reading<>(
            it -> Optional.of(Bytes.utf8(it.run())),
            MissingIdPolicy.COORDINATES,
            it -> Fingerprint.NONE,
            MissingFingerprintPolicy.NOT_COMPARED,
            Optional.empty(),
            TooOldPolicy.PROCESS),
        longest(settings.lease(), retention),
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
            running.workerThreads(),
            running.drainTimeout(),
            running.handlerTimeout(),
            UnknownOutcomePolicy.rerun(),
            running.claimWindow()),
        new EngineSettings.Answering<>(settings.answering().resultLimit(), Optional.empty()),
        new EngineSettings.Reporting<>(
            Optional.empty(),
            settings.reporting().deadLetterTimeout(),
            settings.reporting().listeners(),
            Optional.empty()));
  }

  /** A lease that ends in no pause of the process: no other process can take the message over. */
  private static LeaseSettings longest(LeaseSettings lease, Duration retention) {
    Duration longest = retention.minusNanos(1);
    return new LeaseSettings(
        longest.compareTo(MAX_LEASE) < 0 ? longest : MAX_LEASE,
        lease.renewInterval(),
        lease.margin());
  }

  /** Returns the delivery for the user's handler: with the message's own id, and unprotected. */
  private static <M> Delivery<M> of(Delivery<Shadowed<M>> delivery, Duration lease) {
    Shadowed<M> it = delivery.message();
    Claim run = delivery.claim();
    Claim claim = new Claim(
        it.key().orElse(run.key()),
        Nonce.NONE,
        0,
        run.attempt(),
        it.fingerprint().orElse(Fingerprint.NONE),
        run.origin());
    Acquired acquired = new Acquired(claim, Kind.FRESH, Instant.EPOCH, Optional.empty());
    M message = Objects.requireNonNull(it.message(), "message");
    return new Delivery<>(message, acquired, new RunLease(delivery, lease));
  }

  /** The lease of the run, which is always as long as at its beginning. */
  private record RunLease(Delivery<?> run, Duration remaining) implements Delivery.Lease {

    @Override
    public CompletionStage<Void> lost() {
      return run.leaseLost();
    }
  }

  /** Calls the handler. An error for which Hapax would dead-letter at once is an ordinary one. */
  private static <M> Bytes run(List<Delivery<Shadowed<M>>> deliveries, Callable<Bytes> handler)
      throws Exception {
    deliveries.forEach(it -> it.message().begun());
    try {
      return handler.call();
    } catch (PartlyHandledException e) {
      deliveries.forEach(it -> it.message().failed(e.getCause()));
      throw isFinal(e.getCause()) ? new PartlyHandledException(e.handled(), new RunFailed(e)) : e;
    } catch (Exception e) {
      deliveries.forEach(it -> it.message().failed(e));
      throw isFinal(e) ? new RunFailed(e) : e;
    } catch (Error e) {
      if (isFinal(e)) {
        throw new RunFailed(e);
      }
      throw e;
    }
  }

  private static boolean isFinal(@Nullable Throwable error) {
    return error instanceof RejectedMessageException
        || (error != null && ConversionErrors.include(error));
  }

  /** Wraps an error so that its class decides nothing. */
  private static final class RunFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RunFailed(Throwable cause) {
      super(cause.toString(), cause);
    }
  }
}
