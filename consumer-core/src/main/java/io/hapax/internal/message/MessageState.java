package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage.GivenUp;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ClaimRequest;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides, under the message's own lock, what may happen to one message: its claim, start, giving
 * up and outcome. A message is either started or given up, never both.
 */
abstract sealed class MessageState permits InFlightMessage {

  private enum Phase {
    /** The store has not answered its claim yet. */
    ASKING,
    /**
     * The message waits for its turn: claimed, answered otherwise, without an id, or behind the
     * same id in this process.
     */
    WAITING,
    /** The message runs, or is being answered as a duplicate. */
    STARTED,
    /** The message has its outcome. */
    FINISHED
  }

  /** The answer before the store has given one; the same as from an unavailable store. */
  private static final ClaimAnswer NOT_YET = new ClaimAnswer.Unavailable("not asked yet");

  public final HeldLease lease;

  private Phase phase = Phase.WAITING;
  private @Nullable Outcome outcome;
  private @Nullable Outcome givenUpFor;
  private ClaimAnswer answer = NOT_YET;
  private @Nullable Suspect suspicion;
  private volatile @Nullable ClaimRequest request;
  private volatile boolean settling;
  private boolean answering;

  MessageState(Ticker ticker) {
    this.lease = new HeldLease(ticker);
  }

  /**
   * Records that the claim is sent, or sent anew; not for a message that is finished, or is about
   * to be: the thread that gave it up would not release the claim.
   */
  public synchronized void ask(ClaimRequest newRequest) {
    if (phase == Phase.ASKING || (phase == Phase.WAITING && givenUpFor == null)) {
      phase = Phase.ASKING;
      request = newRequest;
    }
  }

  public synchronized boolean asking() {
    return phase == Phase.ASKING;
  }

  /** Stores the request, without a claim in flight. */
  public void storeRequest(ClaimRequest newRequest) {
    request = newRequest;
  }

  public Optional<ClaimRequest> request() {
    return Optional.ofNullable(request);
  }

  public ClaimRequest requiredRequest() {
    return Objects.requireNonNull(request, "request");
  }

  /** Takes the claim's answer; returns what to do if the message was given up meanwhile. */
  public synchronized GivenUp answered(ClaimAnswer newAnswer, long leaseEndNanos) {
    if (phase == Phase.FINISHED) {
      return GivenUp.NOTHING;
    }
    answer = newAnswer;
    suspicion = newAnswer instanceof Suspect suspect ? suspect : suspicion;
    lease.until(leaseEndNanos);
    phase = Phase.WAITING;
    if (givenUpFor == null) {
      return GivenUp.NOTHING;
    }
    return holdsClaim() ? GivenUp.RELEASE : GivenUp.FINISH;
  }

  public synchronized boolean isAnswered() {
    return answer != NOT_YET;
  }

  public synchronized ClaimAnswer answer() {
    return answer;
  }

  /** Returns the latest answer that called the message a suspect, also after it was claimed. */
  public synchronized Optional<Suspect> suspicion() {
    return Optional.ofNullable(suspicion);
  }

  public synchronized Optional<ClaimAnswer.Acquired> acquired() {
    return answer instanceof ClaimAnswer.Acquired acquired
        ? Optional.of(acquired)
        : Optional.empty();
  }

  public synchronized Claim claim() {
    return ((ClaimAnswer.Acquired) answer).claim();
  }

  private synchronized boolean holdsClaim() {
    return answer instanceof ClaimAnswer.Acquired;
  }

  /** Starts the message; returns false if it was given up, or is not waiting for its turn. */
  public synchronized boolean start() {
    if (phase != Phase.WAITING || givenUpFor != null) {
      return false;
    }
    phase = Phase.STARTED;
    return true;
  }

  /** Takes back the start, after a transaction that did not happen. */
  public synchronized void startOver() {
    if (phase == Phase.STARTED) {
      phase = Phase.WAITING;
    }
  }

  /** Gives up a message that has not started; returns what the caller must do. */
  synchronized GivenUp giveUp(Outcome because) {
    if (phase == Phase.STARTED || phase == Phase.FINISHED || givenUpFor != null) {
      return GivenUp.NOTHING;
    }
    givenUpFor = because;
    if (phase == Phase.ASKING) {
      return GivenUp.NOTHING;
    }
    return holdsClaim() ? GivenUp.RELEASE : GivenUp.FINISH;
  }

  public synchronized Optional<Outcome> givenUpFor() {
    return Optional.ofNullable(givenUpFor);
  }

  public synchronized boolean finish(Outcome newOutcome) {
    if (phase == Phase.FINISHED) {
      return false;
    }
    phase = Phase.FINISHED;
    outcome = newOutcome;
    return true;
  }

  public synchronized Optional<Outcome> outcome() {
    return Optional.ofNullable(outcome);
  }

  public synchronized boolean unfinished() {
    return phase != Phase.FINISHED;
  }

  /** Begins the call of the duplicate handler; returns false if it was called or is not needed. */
  public synchronized boolean beginAnswer() {
    if (answering || phase == Phase.FINISHED) {
      return false;
    }
    answering = true;
    settling = false;
    phase = Phase.STARTED;
    return true;
  }

  /** Returns whether the duplicate handler is called, or was called, for the message. */
  synchronized boolean answering() {
    return answering;
  }

  /** Returns whether it was started or given up, and no thread is about to finish it. */
  synchronized boolean stranded() {
    boolean begun = phase == Phase.STARTED || (phase == Phase.WAITING && givenUpFor != null);
    return begun && !settling;
  }

  public void settling() {
    settling = true;
  }

  public boolean isSettling() {
    return settling;
  }

  /** Returns whether its lease is to be renewed: claimed, unsettled, not lost and not locked. */
  public boolean needsRenewal() {
    return lease.renewable() && pending() && holdsClaim();
  }

  private synchronized boolean pending() {
    return phase != Phase.FINISHED && !answering;
  }
}
