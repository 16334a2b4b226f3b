package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.store.GenerationWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the claims of some messages until each is answered or given up. Used by one thread at a
 * time.
 */
final class ClaimAttempt<M> {

  private final Claimer<M> claimer;
  private final Backoff backoff;
  private final Runnable answered;

  /** Checks that the generation of the claims was read lately. */
  private final GenerationWatch.Check generation;

  /** The messages that are not answered yet. */
  private final List<InFlightMessage<M>> open;

  // Allocated in advance: after an OutOfMemoryError the messages would wait for ever.
  private final Runnable send = this::send;
  private final Runnable sendElsewhere = this::sendElsewhere;
  private final Runnable sendGuarded = this::begin;
  private final Runnable giveUp = this::giveUp;

  private int tries;
  private @Nullable Throwable error;

  /** The action runs after each call, and whenever messages are given up. */
  ClaimAttempt(Claimer<M> claimer, List<InFlightMessage<M>> items, Runnable answered) {
    this.claimer = claimer;
    this.backoff = Backoff.ofStoreCalls(claimer.env().random());
    this.open = new ArrayList<>(items);
    this.answered = answered;
    this.generation = claimer.generation().check();
  }

  /** Sends the claims for the first time. Does not throw. */
  void begin() {
    guarded(send);
  }

  /** Sends the claims for the first time, on another thread. Does not throw. */
  void beginElsewhere() {
    guarded(sendElsewhere);
  }

  private void send() {
    if (open.isEmpty()) {
      answered.run();
    } else {
      claimer.sender().send(this);
    }
  }

  private void sendElsewhere() {
    if (open.isEmpty()) {
      answered.run();
    } else {
      claimer.sender().sendElsewhere(this);
    }
  }

  private void sendLater(Duration pause) {
    claimer.env().threads().callLater(sendGuarded, pause.toMillis());
  }

  boolean tried() {
    return tries > 0;
  }

  int size() {
    return open.size();
  }

  /** Returns a view of the messages that are not answered yet. */
  List<InFlightMessage<M>> items() {
    return Collections.unmodifiableList(open);
  }

  /** Limits an unexpected exception to the messages of this attempt. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /** Continues after a call, which left some messages unanswered. */
  void continueGuarded(Set<InFlightMessage<M>> unanswered) {
    try {
      continueAfter(unanswered);
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  void joinGuarded(List<ClaimAttempt<M>> group) {
    try {
      joinIfWanted(group);
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /**
   * Ends the attempt after an unexpected exception. Its lanes continue as after any deferred
   * message. Messages that have started are not affected.
   */
  void broke(Throwable thrown) {
    error = thrown;
    claimer.tasks().untilItSucceeds(giveUp);
  }

  private void giveUp() {
    Outcome.Deferred broken = claimer.tasks().broke(Objects.requireNonNull(error));
    open.stream()
        .filter(InFlightMessage::asking)
        .forEach(item -> claimer.outcomes().finish(item, broken));
    answered.run();
  }

  /** Joins the group of the next call, unless no claim is needed or may be sent now. */
  private void joinIfWanted(List<ClaimAttempt<M>> group) {
    boolean moved = claimer.generation().moved();
    open.stream()
        .filter(item -> moved || item.batch.abandoned())
        .forEach(item -> claimer.outcomes().finish(item, Deferrals.ABANDONED));
    open.removeIf(item -> !item.asking());
    if (open.isEmpty()) {
      answered.run();
    } else if (generation.seen()) {
      tries++;
      group.add(this);
    } else {
      sendLater(GenerationWatch.Check.PAUSE);
    }
  }

  private void continueAfter(Set<InFlightMessage<M>> unanswered) {
    boolean failed = open.stream().anyMatch(unanswered::contains);
    open.removeIf(item -> !item.asking());
    answered.run();
    if (!open.isEmpty()) {
      sendLater(failed || tries > 3 ? backoff.after(tries) : Duration.ZERO);
    }
  }
}
