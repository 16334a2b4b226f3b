package io.hapax;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Nonce;
import io.hapax.policy.StoreOutagePolicy;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A message on its way through a handler, and what is known of this attempt. Means something only
 * while the handler runs; may be read by any thread.
 *
 * @param <M> the broker's message
 */
public final class Delivery<M> {

  private final M message;
  private final ClaimAnswer.Acquired acquired;
  private final Lease lease;

  /**
   * For the engine.
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
   * The broker's message.
   *
   * @return the message
   */
  public M message() {
    return message;
  }

  /**
   * Whether the handler runs under a claim. It does, unless the store does not answer and
   * {@link StoreOutagePolicy#failOpen} was chosen. Then this message may run elsewhere at the same
   * time, may have run before and may run again; token and attempt are 0, no lease is left, and
   * {@link #isCurrent()} is false from the start.
   *
   * @return false if nothing but the handler itself keeps the effect from repeating
   */
  public boolean isProtected() {
    return !claim().nonce().equals(Nonce.NONE);
  }

  /**
   * The claim under which the handler runs.
   *
   * @return the claim; one that no store knows unless {@link #isProtected()}
   */
  public Claim claim() {
    return acquired.claim();
  }

  /**
   * The business message id, for people.
   *
   * @return the id as text
   */
  public String messageId() {
    return claim().key().id().toString();
  }

  /**
   * Returns the number of this attempt, which is compared with {@link RetrySettings#maxAttempts}.
   * It does not say whether the handler ran before: on most takeovers it is 1, because a lost claim
   * counts as an attempt only if it was solo. {@link #recovery()} says whether an earlier attempt
   * may have taken effect. Calls that {@link InProcessRetry} repeats are one attempt.
   *
   * @return 1 for the first attempt; 0 unless {@link #isProtected()}
   */
  public int attempt() {
    return claim().attempt().number();
  }

  /**
   * The fencing token: a downstream that remembers the greatest token it has seen for a message can
   * refuse a late owner.
   *
   * @return a number that grows with every claim of this message, unless the store loses the mark
   *     and its clock goes back too, as at a promoted replica; 0 unless {@link #isProtected()}
   */
  public long fencingToken() {
    return claim().token();
  }

  /**
   * Whether an earlier attempt may have taken effect.
   *
   * @return true if the claim was taken over from a vanished owner, or an earlier failure left the
   *     effect in doubt
   */
  public boolean recovery() {
    return acquired.recovered();
  }

  /**
   * The owner that vanished.
   *
   * @return its name, token and age; empty unless this claim was taken over
   */
  public Optional<ClaimAnswer.Previous> previousOwner() {
    return acquired.previous();
  }

  /**
   * A key to hand downstream: the same for every attempt of this message, different for every other
   * message and every other consumer name. After a rename of the consumer the other side cannot
   * recognise a repeat.
   *
   * @return 32 hexadecimal digits
   */
  public String idempotencyKey() {
    return HexFormat.of().formatHex(claim().key().storeKey());
  }

  /**
   * What is left of the lease, by this process's monotonic clock. In transactional mode the open
   * transaction protects the claim and this is only informative.
   *
   * @return zero if the lease is over or was lost
   */
  public Duration leaseRemaining() {
    return lease.remaining();
  }

  /**
   * Whether the lease still lives. A long handler should ask before each step that cannot be
   * undone.
   *
   * @return false once another owner may have taken over, and unless {@link #isProtected()}
   */
  public boolean isCurrent() {
    return !leaseRemaining().isZero();
  }

  /**
   * A signal for a handler that can stop what it does, for example by cancelling a request: from
   * here on another owner may run the message too. Given when the store says that another has taken
   * over, and at the latest half a renew interval after the lease has ended without being renewed.
   * Given once, even if the lease is won back later. What depends on it runs on a thread of the
   * receiver and may take its time.
   *
   * @return completed when the lease is lost; never completed otherwise, nor in transactional mode
   *     while the transaction protects the claim, nor unless {@link #isProtected()}
   */
  public CompletionStage<Void> leaseLost() {
    return lease.lost();
  }

  /** A lease, as the engine sees it. */
  public interface Lease {

    /**
     * What is left of it.
     *
     * @return zero once it is lost
     */
    Duration remaining();

    /**
     * A signal.
     *
     * @return completed once it is lost
     */
    CompletionStage<Void> lost();
  }
}
