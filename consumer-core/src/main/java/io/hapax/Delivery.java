package io.hapax;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Nonce;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A message and its attempt, for a handler. Valid only while the handler runs; any thread may read
 * it.
 *
 * @param <M> the broker's message
 */
public final class Delivery<M> {

  private final M message;
  private final ClaimAnswer.Acquired acquired;
  private final Lease lease;

  /**
   * Makes a delivery; for the engine.
   *
   * @param message the broker's message
   * @param acquired the claim under which it runs
   * @param lease its lease
   */
  public Delivery(M message, ClaimAnswer.Acquired acquired, Lease lease) {
    this.message = message;
    this.acquired = acquired;
    this.lease = lease;
  }

  /**
   * {@return the same attempt and claim with another message; for adapters that call a handler
   * again}
   *
   * @param other the message
   * @param <N> the type of the message
   */
  public <N> Delivery<N> with(N other) {
    return new Delivery<>(other, acquired, lease);
  }

  /** {@return the broker's message} */
  public M message() {
    return message;
  }

  /**
   * {@return whether the handler runs under a claim} It does not in
   * {@linkplain ReceiverBuilder#shadow() shadow mode}. Then this message may run elsewhere at the
   * same time, may have run before, and may run again; no lease is ever lost.
   */
  public boolean isProtected() {
    return !claim().nonce().equals(Nonce.NONE);
  }

  /** {@return the claim of the handler; unless {@link #isProtected()}, no store has it} */
  public Claim claim() {
    return acquired.claim();
  }

  /** {@return the business message id as text, for people} */
  public String messageId() {
    return claim().key().id().toString();
  }

  /**
   * {@return the number of this attempt, from 1, which is compared with
   * {@link RetrySettings#maxAttempts}} It does not say whether the handler ran before: on most
   * takeovers it is 1, because a lost claim counts as an attempt only if it was solo. A deferred
   * attempt does not count either. {@link #recovery()} says whether an earlier attempt may have
   * taken effect.
   */
  public int attempt() {
    return claim().attempt().number();
  }

  /**
   * {@return the fencing token: a number that grows with every claim of this message, unless the
   * store loses the mark and its clock goes back too, as after a failover; 0 unless
   * {@link #isProtected()}} A downstream that remembers the greatest token of each message can
   * refuse a late owner.
   */
  public long fencingToken() {
    return claim().token();
  }

  /**
   * {@return whether an earlier attempt may have taken effect: the claim was taken over from a
   * vanished owner, or an earlier failure left the effect in doubt}
   */
  public boolean recovery() {
    return acquired.recovered();
  }

  /**
   * {@return name, token and age of the owner that vanished; empty unless this claim was taken
   * over}
   */
  public Optional<ClaimAnswer.Previous> previousOwner() {
    return acquired.previous();
  }

  /**
   * {@return a key for the downstream, 32 hexadecimal digits: the same for every attempt of this
   * message, and different for every other message and every other consumer name} If the consumer
   * is renamed, the downstream cannot recognise repeats.
   */
  public String idempotencyKey() {
    return HexFormat.of().formatHex(claim().key().storeKey());
  }

  /**
   * {@return the remaining time of the lease, by this process's monotonic clock; zero if the lease
   * has expired or was lost, or if Hapax has interrupted the handler} In transactional mode the
   * open transaction protects the claim, so this is only informative.
   */
  public Duration leaseRemaining() {
    return lease.remaining();
  }

  /**
   * {@return whether the lease is alive; if not, another owner may have taken over} A long handler
   * should check it before each step that cannot be undone.
   */
  public boolean isCurrent() {
    return !leaseRemaining().isZero();
  }

  /**
   * {@return a stage that is completed when the lease is lost, for a handler that can stop, for
   * example by cancelling a request; never completed otherwise, or in transactional mode while the
   * transaction protects the claim} After the loss another owner may run the message, too. The
   * stage is completed when the store reports a takeover, and at the latest half a renew interval
   * after the lease expired; once, even if the lease is won back later. Dependent stages run on a
   * thread of the receiver and may block.
   */
  public CompletionStage<Void> leaseLost() {
    return lease.lost();
  }

  /** The engine's view of a lease. */
  public interface Lease {

    /** {@return its remaining time; zero if it is lost} */
    Duration remaining();

    /** {@return a stage that is completed when it is lost} */
    CompletionStage<Void> lost();
  }
}
