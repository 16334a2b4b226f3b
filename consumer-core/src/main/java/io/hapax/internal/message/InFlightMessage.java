package io.hapax.internal.message;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message of one submission, from reading it to its outcome: its identity, its place in a lane,
 * and the messages and actions that wait for its outcome.
 */
public final class InFlightMessage<M> extends MessageState {

  /** What a caller that gave a message up must do. */
  public enum GivenUp {
    /**
     * Nothing: the message was started, finished or given up before, or the answer to its claim
     * finishes it.
     */
    NOTHING,
    /** Finish the message. */
    FINISH,
    /** Give its claim back, then finish the message. */
    RELEASE
  }

  public final ActiveSubmission<M> submission;
  final int index;
  public final Incoming<M> incoming;
  public final Fingerprint fingerprint;

  /** Whether the message may own a mark: it has a key, and a fingerprint if one is required. */
  public final boolean markable;

  private final @Nullable MessageKey key;
  private @Nullable Runnable whenFinished;
  private List<InFlightMessage<M>> followers = List.of();
  private volatile boolean handling;
  private volatile boolean withoutMark;

  InFlightMessage(
      ActiveSubmission<M> submission,
      int index,
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Fingerprint fingerprint) {
    this(submission, index, incoming, key, fingerprint, key.isPresent());
  }

  private InFlightMessage(
      ActiveSubmission<M> submission,
      int index,
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Fingerprint fingerprint,
      boolean markable) {
    super(submission.ticker);
    this.submission = submission;
    this.index = index;
    this.incoming = incoming;
    this.key = key.orElse(null);
    this.fingerprint = fingerprint;
    this.markable = markable;
  }

  /** Creates a message that cannot own a mark, because it has no id or no fingerprint. */
  public static <M> InFlightMessage<M> unmarked(
      ActiveSubmission<M> submission, int index, Incoming<M> incoming, Optional<MessageKey> key) {
    return new InFlightMessage<>(submission, index, incoming, key, Fingerprint.NONE, false);
  }

  /** Returns the lane of its submission in which it runs; asked once for each lane. */
  public OpenLane lane() {
    return submission.lane(incoming.lane());
  }

  boolean sharesLaneWith(InFlightMessage<?> other) {
    return submission == other.submission && incoming.lane().equals(other.incoming.lane());
  }

  /** Returns the deferral that stops its lane; empty if there is none yet, or no order. */
  public Optional<Outcome.Deferred> stop() {
    return outcome().flatMap(this::stopsAt);
  }

  /** What holds back those behind it, also if its claim is still to be released. */
  public Optional<Outcome.Deferred> expectedStop() {
    return outcome().or(this::givenUpFor).flatMap(this::stopsAt);
  }

  /** The outcome as what holds back those behind it, if it is a deferral and they have an order. */
  public Optional<Outcome.Deferred> stopsAt(Outcome itsOutcome) {
    return incoming.inOrder() && itsOutcome instanceof Outcome.Deferred deferred
        ? Optional.of(deferred)
        : Optional.empty();
  }

  public Optional<MessageKey> key() {
    return Optional.ofNullable(key);
  }

  public MessageKey requiredKey() {
    return Objects.requireNonNull(key, "key");
  }

  /** Adds a message that waits for this one's outcome; returns false if that is known already. */
  synchronized boolean follow(InFlightMessage<M> follower) {
    if (!unfinished()) {
      return false;
    }
    if (followers.isEmpty()) { // as for nearly all messages
      followers = new ArrayList<>(1);
    }
    return followers.add(follower);
  }

  /** Returns the messages that wait for its outcome; the list does not change after that. */
  synchronized List<InFlightMessage<M>> followers() {
    return followers;
  }

  /** Adds an action that runs after the message has finished; returns false if it has. */
  public synchronized boolean whenFinished(Runnable action) {
    if (!unfinished()) {
      return false;
    }
    Runnable before = whenFinished;
    whenFinished = before == null
        ? action
        : () -> {
          before.run();
          action.run();
        };
    return true;
  }

  synchronized @Nullable Runnable finishedAction() {
    return whenFinished;
  }

  public boolean isHandling() {
    return handling;
  }

  /** Records that the user's code is about to run; returns false if the message is finished. */
  public synchronized boolean beginHandling() {
    handling = unfinished();
    return handling;
  }

  void endHandling() {
    handling = false;
  }

  /** Records that its outcome holds for this delivery only and not for its id. */
  public void withoutMark() {
    withoutMark = true;
  }

  boolean isWithoutMark() {
    return withoutMark;
  }
}
