package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.FailureSpan;
import io.hapax.internal.store.GenerationCheck;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.OutageDetector;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The claims of some messages on their way: sent as they are until each is answered, or given up,
 * or nobody waits for the store any more. It is at one place at a time.
 */
public final class ClaimAttempt<M> {

  /** What every attempt uses. */
  public record Parts<M>(
      ClaimSender<M> sender,
      OutageDetector outage,
      GenerationWatch generation,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Environment env) {}

  private final Parts<M> parts;
  private final Backoff backoff;
  private final Runnable answered;

  /** What was asked for under a generation is not claimed long after anybody saw it. */
  private final GenerationCheck generation;

  /** Those that are not answered yet. */
  private final List<InFlightMessage<M>> open;

  // Allocated with the course: where memory is used up, its messages would wait for ever.
  private final Runnable send = this::send;
  private final Runnable sendElsewhere = this::sendElsewhere;
  private final Runnable sendGuarded = this::begin;
  private final Runnable giveUp = this::giveUp;

  private int tries;
  private @Nullable Throwable error;
  private FailureSpan absence = FailureSpan.NONE;

  /**
   * Of items that have been told what is asked for them.
   *
   * @param answered run after each call, and whenever some are given up
   */
  ClaimAttempt(Parts<M> parts, List<InFlightMessage<M>> items, Runnable answered) {
    this.parts = parts;
    this.backoff = Backoff.ofStoreCalls(parts.env().random());
    this.open = new ArrayList<>(items);
    this.answered = answered;
    this.generation = parts.generation().check();
  }

  /** Sends its claims for the first time. Does not throw. */
  void begin() {
    guarded(send);
  }

  /** The same without a call to the store on the caller's thread. */
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

  /** Whether its claims were sent before. */
  boolean tried() {
    return tries > 0;
  }

  int size() {
    return open.size();
  }

  /** Those that are not answered yet; fewer, as soon as the course goes on. */
  List<InFlightMessage<M>> items() {
    return Collections.unmodifiableList(open);
  }

  /** What nobody foresaw is told to its messages alone. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /** The call was made. */
  void goOnGuarded(ClaimReply<M> asked, long sent) {
    try {
      goOn(asked, sent);
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /** Joins those that a call is for. */
  void joinGuarded(List<ClaimAttempt<M>> group) {
    try {
      joinIfWanted(group);
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /**
   * What nobody foresaw has happened: nothing is sent any more. The lanes see to the rest, as they
   * do behind any message that is deferred; what has started is not touched.
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

  /** Right before a call: joins those that it is for, if anything is to be asked now. */
  private void joinIfWanted(List<ClaimAttempt<M>> group) {
    boolean moved = parts.generation().moved();
    open.stream()
        .filter(item -> moved || item.batch.abandoned())
        .forEach(item -> parts.outcomes().finish(item, Deferrals.ABANDONED));
    open.removeIf(item -> !item.asking());
    if (open.isEmpty()) {
      answered.run();
    } else if (parts.outage().over()) {
      goWithout();
      answered.run();
    } else if (generation.seen()) {
      tries++;
      group.add(this);
    } else {
      sendLater(GenerationCheck.PAUSE);
    }
  }

  private void goOn(ClaimReply<M> asked, long sent) {
    boolean heard = open.stream().noneMatch(asked.unheard()::contains);
    boolean late = open.stream().anyMatch(asked.late()::contains);
    absence = heard || late ? FailureSpan.NONE : parts.outage().longer(absence, sent);
    open.removeIf(item -> !item.asking());
    if (!heard && parts.outage().over(absence)) {
      goWithout();
    }
    answered.run();
    if (!open.isEmpty()) {
      sendLater(!heard || tries > 3 ? backoff.after(tries) : Duration.ZERO);
    }
  }

  /** Lets the items run although nobody has granted them a claim. */
  private void goWithout() {
    for (InFlightMessage<M> item : open) {
      Acquired nothing = UnclaimedRun.of(item.asked());
      item.lease.forsake();
      long never = parts.env().nanos() + Long.MAX_VALUE / 2;
      parts.outcomes().carryOut(item, item.answered(nothing, never));
    }
    open.clear();
  }
}
