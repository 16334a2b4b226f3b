package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.GenerationCheck;
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
public final class ClaimAttempt<M> {

  /** The parts that all attempts use. */
  public record Parts<M>(
      ClaimSender<M> sender,
      GenerationWatch generation,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Environment env) {}

  private final Parts<M> parts;
  private final Backoff backoff;
  private final Runnable answered;

  /** Checks that the generation of the claims was read lately. */
  private final GenerationCheck generation;

  /** The messages that are not answered yet. */
  private final List<InFlightMessage<M>> open;

  // Allocated in advance: after an OutOfMemoryError the messages would wait for ever.
  private final Runnable send = this::send;
  private final Runnable sendElsewhere = this::sendElsewhere;
  private final Runnable sendGuarded = this::begin;
  private final Runnable giveUp = this::giveUp;

  private int tries;
  private @Nullable Throwable error;

  /**
   * Creates an attempt for messages that have their requests.
   *
   * @param answered runs after each call, and whenever messages are given up
   */
  ClaimAttempt(Parts<M> parts, List<InFlightMessage<M>> items, Runnable answered) {
    this.parts = parts;
    this.backoff = Backoff.ofStoreCalls(parts.env().random());
    this.open = new ArrayList<>(items);
    this.answered = answered;
    this.generation = parts.generation().check();
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
      parts.sender().send(this);
    }
  }

  private void sendElsewhere() {
    if (open.isEmpty()) {
      answered.run();
    } else {
      parts.sender().sendElsewhere(this);
    }
  }

  private void sendLater(Duration pause) {
    parts.env().threads().callLater(sendGuarded, pause.toMillis());
  }

  /** Returns whether the claims were sent before. */
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

  /**
   * Continues after a call.
   *
   * @param unanswered the messages of the call that the store has not answered
   */
  void continueGuarded(Set<InFlightMessage<M>> unanswered) {
    try {
      continueAfter(unanswered);
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /** Joins the group of the next call. */
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
    parts.tasks().untilItSucceeds(giveUp);
  }

  private void giveUp() {
    Outcome.Deferred broken = parts.tasks().broke(Objects.requireNonNull(error));
    open.stream()
        .filter(InFlightMessage::asking)
        .forEach(item -> parts.outcomes().finish(item, broken));
    answered.run();
  }

  /** Joins the group of the next call, unless no claim is needed or may be sent now. */
  private void joinIfWanted(List<ClaimAttempt<M>> group) {
    boolean moved = parts.generation().moved();
    open.stream()
        .filter(item -> moved || item.batch.abandoned())
        .forEach(item -> parts.outcomes().finish(item, Deferrals.ABANDONED));
    open.removeIf(item -> !item.asking());
    if (open.isEmpty()) {
      answered.run();
    } else if (generation.seen()) {
      tries++;
      group.add(this);
    } else {
      sendLater(GenerationCheck.PAUSE);
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
