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
import java.util.Set;

/**
 * Repeats the claims of some messages until each is answered or given up. Used by one thread at a
 * time. An unexpected exception is limited to its messages: no method throws one.
 */
final class ClaimAttempt<M> {

  private final Claims<M> claims;
  private final Backoff backoff;
  private final Runnable answered;

  /** Checks that the generation of the claims was read lately. */
  private final GenerationWatch.Check generation;

  /** The messages that are not answered yet. */
  private final List<InFlightMessage<M>> open;

  private int tries;

  /** The action runs after each call, and whenever messages are given up. */
  ClaimAttempt(Claims<M> claims, List<InFlightMessage<M>> messages, Runnable answered) {
    this.claims = claims;
    this.backoff = Backoff.ofStoreCalls(claims.env.random());
    this.open = new ArrayList<>(messages);
    this.answered = answered;
    this.generation = claims.generation.check();
  }

  boolean tried() {
    return tries > 0;
  }

  int size() {
    return open.size();
  }

  /** Returns a view of the messages that are not answered yet. */
  List<InFlightMessage<M>> messages() {
    return Collections.unmodifiableList(open);
  }

  /** Sends the claims; if elsewhere, then without a call to the store on this thread. */
  void send(boolean elsewhere) {
    try {
      if (open.isEmpty()) {
        answered.run();
      } else {
        claims.send(this, elsewhere);
      }
    } catch (RuntimeException e) {
      broke(e);
    }
  }

  /** Joins the group of the next call, unless no claim is needed or may be sent now. */
  void join(List<ClaimAttempt<M>> group) {
    try {
      giveUpUnwanted();
      if (open.isEmpty()) {
        answered.run();
      } else if (generation.seen()) {
        tries++;
        group.add(this);
      } else {
        sendLater(GenerationWatch.Check.PAUSE);
      }
    } catch (RuntimeException e) {
      broke(e);
    }
  }

  private void giveUpUnwanted() {
    boolean moved = claims.generation.moved() || claims.env.threads().failStop().stopped();
    open.stream()
        .filter(message -> moved || message.submission.abandoned())
        .forEach(message -> claims.outcomes.finish(message, Deferrals.ABANDONED));
    open.removeIf(message -> !message.asking());
  }

  /** Continues after a call, which left some messages unanswered. */
  void resume(Set<InFlightMessage<M>> unanswered) {
    try {
      boolean failed = open.stream().anyMatch(unanswered::contains);
      open.removeIf(message -> !message.asking());
      answered.run();
      if (!open.isEmpty()) {
        sendLater(failed || tries > 3 ? backoff.after(tries) : Duration.ZERO);
      }
    } catch (RuntimeException e) {
      broke(e);
    }
  }

  private void sendLater(Duration pause) {
    claims.env.threads().callLater(() -> send(false), pause.toMillis());
  }

  /**
   * Ends the attempt after an unexpected exception. Its lanes continue as after any deferred
   * message. Messages that have started are not affected.
   */
  private void broke(RuntimeException thrown) {
    Outcome.Deferred broken = claims.tasks.broke(thrown);
    open.stream()
        .filter(InFlightMessage::asking)
        .forEach(message -> claims.outcomes.finish(message, broken));
    answered.run();
  }
}
