package io.hapax.internal.message;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message of one submission, from intake to its outcome. Its own lock guards who may start it
 * and who may give it up: exactly one of the two happens.
 */
public final class InFlightMessage<M> {

  private enum Phase {
    /** Its claim is not answered yet. */
    ASKING,
    /**
     * It waits for its turn: claimed, answered otherwise, without an id, or behind the same id in
     * this process.
     */
    WAITING,
    /** Its turn has come. */
    STARTED,
    /** It has its outcome. */
    FINISHED
  }

  /** What a caller that gave an item up must do now. */
  public enum GivenUp {
    /**
     * Nothing: it was started, finished or given up before, or its claim's answer will see to it.
     */
    NOTHING,
    /** Hand its outcome on. */
    FINISH,
    /** Give its claim back, then hand its outcome on. */
    RELEASE
  }

  /** What a store says that has not been asked, as one does that could not be reached. */
  private static final ClaimAnswer NOT_YET = new ClaimAnswer.Unavailable("not asked yet");

  public final ActiveSubmission<M> batch;
  final int index;
  public final Incoming<M> incoming;
  public final Fingerprint fingerprint;

  /** Whether it may own a mark: nobody can mistake it for another message. */
  public final boolean markable;

  public final HeldLease lease;

  private final @Nullable MessageKey key;
  private Phase phase = Phase.WAITING;
  private @Nullable Outcome outcome;
  private @Nullable Outcome givenUpFor;
  private ClaimAnswer answer = NOT_YET;
  private @Nullable Suspect suspicion;
  private @Nullable Runnable whenFinished;
  private List<InFlightMessage<M>> followers = List.of();
  private volatile @Nullable ClaimRequest request;
  private volatile boolean settling;
  private volatile boolean handling;
  private volatile boolean withoutMark;
  private boolean answering;
  private boolean tried;

  InFlightMessage(
      ActiveSubmission<M> batch,
      int index,
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Fingerprint fingerprint) {
    this(batch, index, incoming, key, fingerprint, key.isPresent());
  }

  private InFlightMessage(
      ActiveSubmission<M> batch,
      int index,
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Fingerprint fingerprint,
      boolean markable) {
    this.batch = batch;
    this.index = index;
    this.incoming = incoming;
    this.key = key.orElse(null);
    this.fingerprint = fingerprint;
    this.markable = markable;
    this.lease = new HeldLease(batch.ticker);
  }

  /** A message that cannot own a mark, because it has no id, or no fingerprint. */
  public static <M> InFlightMessage<M> unmarked(
      ActiveSubmission<M> batch, int index, Incoming<M> incoming, Optional<MessageKey> key) {
    return new InFlightMessage<>(batch, index, incoming, key, Fingerprint.NONE, false);
  }

  boolean sharesLaneWith(InFlightMessage<?> other) {
    return batch == other.batch && incoming.lane().equals(other.incoming.lane());
  }

  /**
   * What holds back those behind it in its lane: its outcome, if that is a deferral. Empty if it
   * has none yet, or its lane keeps no order.
   */
  public Optional<Outcome.Deferred> stop() {
    return outcome().flatMap(this::stopsAt);
  }

  /** The outcome as what holds back those behind it, if it is a deferral and they have an order. */
  public Optional<Outcome.Deferred> stopsAt(Outcome itsOutcome) {
    return incoming.inOrder() && itsOutcome instanceof Outcome.Deferred deferred
        ? Optional.of(deferred)
        : Optional.empty();
  }

  /** What it is known by; empty if it has no usable id. */
  public Optional<MessageKey> key() {
    return Optional.ofNullable(key);
  }

  /** The key, of an item that has one. */
  public MessageKey requiredKey() {
    return Objects.requireNonNull(key, "key");
  }

  public synchronized void ask(ClaimRequest newRequest) {
    if (phase != Phase.FINISHED) {
      phase = Phase.ASKING;
      request = newRequest;
    }
  }

  public synchronized boolean asking() {
    return phase == Phase.ASKING;
  }

  /** Remembers the request, without a claim under way. */
  public void named(ClaimRequest newRequest) {
    request = newRequest;
  }

  public Optional<ClaimRequest> request() {
    return Optional.ofNullable(request);
  }

  /** The request, of an item that something is asked for. */
  public ClaimRequest asked() {
    return Objects.requireNonNull(request, "request");
  }

  /** Takes the claim's answer. Returns what is to be done if the item was given up meanwhile. */
  public synchronized GivenUp answered(ClaimAnswer newAnswer, long leaseEnd) {
    if (phase == Phase.FINISHED) {
      return GivenUp.NOTHING;
    }
    answer = newAnswer;
    suspicion = newAnswer instanceof Suspect suspect ? suspect : suspicion;
    lease.until(leaseEnd);
    phase = Phase.WAITING;
    if (givenUpFor == null) {
      return GivenUp.NOTHING;
    }
    return holdsClaim() ? GivenUp.RELEASE : GivenUp.FINISH;
  }

  public synchronized boolean isAnswered() {
    return answer != NOT_YET;
  }

  /** What the store has said; that it could not be reached, until it has said anything. */
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

  /** The claim that it holds. */
  public synchronized Claim claim() {
    return ((ClaimAnswer.Acquired) answer).claim();
  }

  private synchronized boolean holdsClaim() {
    return answer instanceof ClaimAnswer.Acquired;
  }

  public synchronized boolean start() {
    if (phase != Phase.WAITING || givenUpFor != null) {
      return false;
    }
    phase = Phase.STARTED;
    return true;
  }

  /** A transaction that it was started in did not come off: it may be started again. */
  public synchronized void startOver() {
    if (phase == Phase.STARTED) {
      phase = Phase.WAITING;
    }
  }

  /** Its handler failed before anything happened, and is called again: it may be started again. */
  public synchronized void waitForEncore() {
    tried = true;
    startOver();
  }

  /** How its claim is given back: a call of its handler is an attempt, whatever it did. */
  synchronized Verdict givenBack() {
    return tried ? new Verdict.Retry(Duration.ZERO, false) : new Verdict.Release();
  }

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

  /** Gives the item its outcome; false if it had one. */
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

  /** Lets another item wait for this one's outcome; false if it has it already. */
  synchronized boolean follow(InFlightMessage<M> follower) {
    if (phase == Phase.FINISHED) {
      return false;
    }
    if (followers.isEmpty()) { // of nearly all messages they stay so
      followers = new ArrayList<>(1);
    }
    return followers.add(follower);
  }

  /** Returns those that wait for its outcome; once the item has it the list does not change. */
  synchronized List<InFlightMessage<M>> followers() {
    return followers;
  }

  /** Runs something once the item has its outcome; false if it has it already. */
  public synchronized boolean whenFinished(Runnable action) {
    if (phase == Phase.FINISHED) {
      return false;
    }
    Runnable before = whenFinished;
    whenFinished = before == null
        ? action
        : () -> {
          try {
            before.run();
          } finally {
            action.run();
          }
        };
    return true;
  }

  synchronized @Nullable Runnable finishedAction() {
    return whenFinished;
  }

  private synchronized boolean pending() {
    return phase != Phase.FINISHED && !answering;
  }

  public synchronized boolean unfinished() {
    return phase != Phase.FINISHED;
  }

  /** Its outcome is known, but somebody hears of it first; false if that is under way or over. */
  public synchronized boolean beginAnswer() {
    if (answering || phase == Phase.FINISHED) {
      return false;
    }
    answering = true;
    settling = false;
    phase = Phase.STARTED;
    return true;
  }

  /** Whether its outcome is known and somebody hears, or has heard, of it first. */
  synchronized boolean answering() {
    return answering;
  }

  /** Whether it was started, or given up, and no thread is about to give it an outcome. */
  synchronized boolean stranded() {
    boolean begun = phase == Phase.STARTED || (phase == Phase.WAITING && givenUpFor != null);
    return begun && !settling;
  }

  public void settling() {
    settling = true;
  }

  /** The settler could not take its verdict. */
  public void notSettling() {
    settling = false;
  }

  public boolean isSettling() {
    return settling;
  }

  /** Whether the user's code runs for it. */
  public boolean isHandling() {
    return handling;
  }

  /** The user's code is about to run for it; false if it has its outcome and must not run. */
  public synchronized boolean beginHandling() {
    handling = phase != Phase.FINISHED;
    return handling;
  }

  void endHandling() {
    handling = false;
  }

  /** Its outcome stands for this delivery alone and says nothing of its id. */
  public void withoutMark() {
    withoutMark = true;
  }

  boolean isWithoutMark() {
    return withoutMark;
  }

  /**
   * Whether the keeper should renew it: claimed, not lost, unsettled, and not protected by an open
   * transaction's row lock.
   */
  public boolean needsRenewal() {
    return lease.renewable() && pending() && holdsClaim();
  }
}
