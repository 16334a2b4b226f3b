package io.hapax.internal;

import io.hapax.Incoming;
import io.hapax.Outcome;
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
final class Item<M> {

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
  enum GivenUp {
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

  final Batch<M> batch;
  final int index;
  final Incoming<M> incoming;
  final Fingerprint fingerprint;

  /** Whether it may own a mark: nobody can mistake it for another message. */
  final boolean markable;

  final HeldLease lease;

  private final @Nullable MessageKey key;
  private Phase phase = Phase.WAITING;
  private @Nullable Outcome outcome;
  private @Nullable Outcome givenUpFor;
  private ClaimAnswer answer = NOT_YET;
  private @Nullable Suspect suspicion;
  private @Nullable Runnable whenFinished;
  private List<Item<M>> followers = List.of();
  private volatile @Nullable ClaimRequest request;
  private volatile boolean settling;
  private volatile boolean handling;
  private volatile boolean withoutMark;
  private boolean answering;
  private boolean tried;

  Item(
      Batch<M> batch,
      int index,
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Fingerprint fingerprint) {
    this(batch, index, incoming, key, fingerprint, key.isPresent());
  }

  private Item(
      Batch<M> batch,
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
  static <M> Item<M> unmarked(
      Batch<M> batch, int index, Incoming<M> incoming, Optional<MessageKey> key) {
    return new Item<>(batch, index, incoming, key, Fingerprint.NONE, false);
  }

  boolean sharesLaneWith(Item<?> other) {
    return batch == other.batch && incoming.lane().equals(other.incoming.lane());
  }

  /**
   * What holds back those behind it in its lane: its outcome, if that is a deferral. Empty if it
   * has none yet, or its lane keeps no order.
   */
  Optional<Outcome.Deferred> stop() {
    return outcome().flatMap(this::stopsAt);
  }

  /** The outcome as what holds back those behind it, if it is a deferral and they have an order. */
  Optional<Outcome.Deferred> stopsAt(Outcome itsOutcome) {
    return incoming.inOrder() && itsOutcome instanceof Outcome.Deferred deferred
        ? Optional.of(deferred)
        : Optional.empty();
  }

  /** What it is known by; empty if it has no usable id. */
  Optional<MessageKey> key() {
    return Optional.ofNullable(key);
  }

  /** The key, of an item that has one. */
  MessageKey requiredKey() {
    return Objects.requireNonNull(key, "key");
  }

  synchronized void ask(ClaimRequest newRequest) {
    if (phase != Phase.FINISHED) {
      phase = Phase.ASKING;
      request = newRequest;
    }
  }

  synchronized boolean asking() {
    return phase == Phase.ASKING;
  }

  /** Remembers the request, without a claim under way. */
  void named(ClaimRequest newRequest) {
    request = newRequest;
  }

  Optional<ClaimRequest> request() {
    return Optional.ofNullable(request);
  }

  /** The request, of an item that something is asked for. */
  ClaimRequest asked() {
    return Objects.requireNonNull(request, "request");
  }

  /** Takes the claim's answer. Returns what is to be done if the item was given up meanwhile. */
  synchronized GivenUp answered(ClaimAnswer newAnswer, long leaseEnd) {
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

  synchronized boolean isAnswered() {
    return answer != NOT_YET;
  }

  /** What the store has said; that it could not be reached, until it has said anything. */
  synchronized ClaimAnswer answer() {
    return answer;
  }

  /** Returns the latest answer that called the message a suspect, also after it was claimed. */
  synchronized Optional<Suspect> suspicion() {
    return Optional.ofNullable(suspicion);
  }

  synchronized Optional<ClaimAnswer.Acquired> acquired() {
    return answer instanceof ClaimAnswer.Acquired acquired
        ? Optional.of(acquired)
        : Optional.empty();
  }

  /** The claim that it holds. */
  synchronized Claim claim() {
    return ((ClaimAnswer.Acquired) answer).claim();
  }

  private synchronized boolean holdsClaim() {
    return answer instanceof ClaimAnswer.Acquired;
  }

  synchronized boolean start() {
    if (phase != Phase.WAITING || givenUpFor != null) {
      return false;
    }
    phase = Phase.STARTED;
    return true;
  }

  /** A transaction that it was started in did not come off: it may be started again. */
  synchronized void startOver() {
    if (phase == Phase.STARTED) {
      phase = Phase.WAITING;
    }
  }

  /** Its handler failed before anything happened, and is called again: it may be started again. */
  synchronized void waitForEncore() {
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

  synchronized Optional<Outcome> givenUpFor() {
    return Optional.ofNullable(givenUpFor);
  }

  /** Gives the item its outcome; false if it had one. */
  synchronized boolean finish(Outcome newOutcome) {
    if (phase == Phase.FINISHED) {
      return false;
    }
    phase = Phase.FINISHED;
    outcome = newOutcome;
    return true;
  }

  synchronized Optional<Outcome> outcome() {
    return Optional.ofNullable(outcome);
  }

  /** Lets another item wait for this one's outcome; false if it has it already. */
  synchronized boolean follow(Item<M> follower) {
    if (phase == Phase.FINISHED) {
      return false;
    }
    if (followers.isEmpty()) { // of nearly all messages they stay so
      followers = new ArrayList<>(1);
    }
    return followers.add(follower);
  }

  /** Returns those that wait for its outcome; once the item has it the list does not change. */
  synchronized List<Item<M>> followers() {
    return followers;
  }

  /** Runs something once the item has its outcome; false if it has it already. */
  synchronized boolean whenFinished(Runnable action) {
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

  synchronized boolean unfinished() {
    return phase != Phase.FINISHED;
  }

  /** Its outcome is known, but somebody hears of it first; false if that is under way or over. */
  synchronized boolean beginAnswer() {
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

  void settling() {
    settling = true;
  }

  /** The settler could not take its verdict. */
  void notSettling() {
    settling = false;
  }

  boolean isSettling() {
    return settling;
  }

  /** Whether the user's code runs for it. */
  boolean isHandling() {
    return handling;
  }

  /** The user's code is about to run for it; false if it has its outcome and must not run. */
  synchronized boolean beginHandling() {
    handling = phase != Phase.FINISHED;
    return handling;
  }

  void endHandling() {
    handling = false;
  }

  /** Its outcome stands for this delivery alone and says nothing of its id. */
  void withoutMark() {
    withoutMark = true;
  }

  boolean isWithoutMark() {
    return withoutMark;
  }

  /**
   * Whether the keeper should renew it: claimed, not lost, unsettled, and not protected by an open
   * transaction's row lock.
   */
  boolean needsRenewal() {
    return lease.renewable() && pending() && holdsClaim();
  }
}
