package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks messages as DONE with a result of limited size, and reacts to outcomes: passes results to
 * the user's handler of duplicates, applies the conflict policy and gives claims back.
 */
public final class Results<M> implements Outcomes.Reactions<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Results.class);

  private final Duration firstBackoff;
  private final UserCodeCalls calls;
  private final Tasks<M> tasks;
  private final Outcomes<M> outcomes;
  private final Settler<M> settler;
  private final UnacquiredMessages<M> unacquired;
  private final EngineSettings.Answering<M> settings;

  public Results(
      EngineSettings<M> settings,
      UserCodeCalls calls,
      Tasks<M> tasks,
      Outcomes<M> outcomes,
      Settler<M> settler,
      UnacquiredMessages<M> unacquired) {
    this.settings = settings.answering();
    this.firstBackoff = settings.failing().retry().firstBackoff();
    this.calls = calls;
    this.tasks = tasks;
    this.outcomes = outcomes;
    this.settler = settler;
    this.unacquired = unacquired;
  }

  /**
   * Returns how to settle messages whose handler has returned normally. There is a result for each
   * message, or none at all.
   */
  public List<Settler.Pending<M>> done(List<ClaimedMessage<M>> messages, List<Bytes> returned) {
    List<Settler.Pending<M>> done = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      done.add(done(messages.get(i), returned.isEmpty() ? Bytes.EMPTY : returned.get(i)));
    }
    return done;
  }

  private Settler.Pending<M> done(ClaimedMessage<M> it, Bytes returned) {
    Bytes result = kept(it.message(), returned);
    Verdict verdict = result.length() == 0 ? Verdict.Done.WITHOUT_RESULT : new Verdict.Done(result);
    return new Settler.Pending<>(it.message(), verdict, executed(it.acquired(), result));
  }

  public static Outcome executed(Acquired acquired, Bytes result) {
    return new Outcome.Executed(
        acquired.claim().token(), acquired.claim().attempt().number(), result);
  }

  /** Returns what is stored of a result: all of it, or nothing if it exceeds the limit. */
  public Bytes kept(InFlightMessage<M> message, Bytes result) {
    if (result.length() <= settings.resultLimit()) {
      return result;
    }
    LOG.error(
        "The result of {} has {} bytes but resultLimit is {}: it is not kept",
        message.requiredKey(),
        result.length(),
        settings.resultLimit());
    return Bytes.EMPTY;
  }

  @Override
  public Outcomes<M> outcomes() {
    return outcomes;
  }

  @Override
  public boolean answers(InFlightMessage<M> message, Outcome outcome) {
    if (settings.duplicates().isEmpty() || !(outcome instanceof Outcome.Duplicate duplicate)) {
      return false;
    }
    if (message.beginAnswer()) {
      tasks.work(
          List.of(message), () -> outcomes.finishAnswered(message, answered(message, duplicate)));
    }
    return true;
  }

  @Override
  public void conflicts(InFlightMessage<M> follower) {
    tasks.work(List.of(follower), () -> {
      var unused = unacquired.conflict(follower, "another payload was just handled under this id");
    });
  }

  @Override
  public void release(InFlightMessage<M> message, Outcome outcome) {
    settler.settle(message, new Verdict.Release(), outcome);
  }

  private Outcome answered(InFlightMessage<M> message, Outcome.Duplicate duplicate) {
    try {
      return calls.run(() -> {
        M received = message.incoming.handout().next();
        settings.duplicates().orElseThrow().onDuplicate(received, duplicate.result());
        return duplicate;
      });
    } catch (HandlerFailure failure) {
      LOG.warn(
          "The duplicate handler failed for {}",
          message.requiredKey(),
          Descriptions.loggable(failure.reason()));
      return new Outcome.Deferred(
          Outcome.Reason.RETRY, firstBackoff, Descriptions.of(failure.reason()));
    }
  }
}
