package io.hapax.internal.shadow;

import io.hapax.Delivery;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.handler.ConversionErrors;
import io.hapax.internal.run.HandlerStep;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Nonce;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls the user's handler for runs, with deliveries that no claim protects. */
record ShadowHandler<M>(HandlerStep.Handler<M> handler, Duration lease)
    implements HandlerStep.Handler.Call<ShadowRun<M>> {

  /** The lease of the run, which is always as long as at its beginning. */
  private record RunLease(Delivery<?> run, Duration remaining) implements Delivery.Lease {

    @Override
    public CompletionStage<Void> lost() {
      return run.leaseLost();
    }
  }

  /** Wraps an error so that its class decides nothing. */
  private static final class RunFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RunFailed(Throwable cause) {
      super(cause.toString(), cause);
    }
  }

  /** An error for which Hapax would dead-letter at once becomes an ordinary one. */
  @Override
  public List<Bytes> handle(List<Delivery<ShadowRun<M>>> deliveries) throws Exception {
    deliveries.forEach(it -> it.message().begun());
    try {
      return handler.call().handle(deliveries.stream().map(this::unprotected).toList());
    } catch (Throwable e) {
      Throwable cause =
          e instanceof PartlyHandledException ? Objects.requireNonNullElse(e.getCause(), e) : e;
      if (cause instanceof NotAppliedException) {
        deliveries.forEach(it -> it.message().notApplied());
      }
      if (!(cause instanceof RejectedMessageException) && !ConversionErrors.include(cause)) {
        throw e;
      }
      RunFailed failed = new RunFailed(e);
      throw e instanceof PartlyHandledException partly
          ? new PartlyHandledException(partly.handled(), failed)
          : failed;
    }
  }

  /** Returns the delivery for the user's handler: with the message's own id. */
  private Delivery<M> unprotected(Delivery<ShadowRun<M>> delivery) {
    ShadowRun<M> run = delivery.message();
    Claim granted = delivery.claim();
    Claim claim = new Claim(
        run.key.orElse(granted.key()),
        Nonce.NONE,
        0,
        granted.attempt(),
        run.fingerprint.orElse(Fingerprint.NONE),
        granted.origin());
    Acquired acquired = new Acquired(claim, Kind.FRESH, Instant.EPOCH, Optional.empty());
    return new Delivery<>(run.message(), acquired, new RunLease(delivery, lease));
  }
}
