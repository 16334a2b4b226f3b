package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Threads;
import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What handlers returned: kept with their marks within bounds, and handed to duplicates. */
public final class Results<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Results.class);

  private final Duration firstBackoff;
  private final UserCodeCalls calls;
  private final Threads threads;
  private final Tasks<M> tasks;
  private final Outcomes<M> outcomes;
  private final EngineSettings.Answering<M> settings;

  public Results(
      EngineSettings<M> settings,
      UserCodeCalls calls,
      Threads threads,
      Tasks<M> tasks,
      Outcomes<M> outcomes) {
    this.settings = settings.answering();
    this.firstBackoff = settings.failing().retry().firstBackoff();
    this.calls = calls;
    this.threads = threads;
    this.tasks = tasks;
    this.outcomes = outcomes;
  }

  /** What is kept of a result: all of it or nothing. Its effect has happened either way. */
  public Bytes kept(InFlightMessage<M> item, Bytes result) {
    if (result.length() <= settings.resultLimit()) {
      return result;
    }
    LOG.error(
        "The result of {} has {} bytes but resultLimit is {}: it is not kept",
        item.requiredKey(),
        result.length(),
        settings.resultLimit());
    return Bytes.EMPTY;
  }

  /** Whether somebody wants to hear of the duplicate before it has its outcome. */
  public boolean wanted(Outcome outcome) {
    return outcome instanceof Outcome.Duplicate && settings.duplicates().isPresent();
  }

  /** Hands a duplicate to who wants it, once, and then gives it its outcome. */
  public void answer(InFlightMessage<M> item, Outcome.Duplicate duplicate) {
    Runnable work = tasks.guarded(
        List.of(item), () -> outcomes.finishAnswered(item, answered(item, duplicate)));
    if (item.beginAnswer()) { // no error can come after this
      threads.work(work);
    }
  }

  private Outcome answered(InFlightMessage<M> item, Outcome.Duplicate duplicate) {
    try {
      calls.run(() -> settings
          .duplicates()
          .orElseThrow()
          .onDuplicate(item.incoming.message(), duplicate.result()));
      return duplicate;
    } catch (HandlerFailure failure) {
      LOG.warn(
          "The duplicate {} was not answered",
          item.requiredKey(),
          Descriptions.loggable(failure.reason()));
      return new Outcome.Deferred(
          Outcome.Reason.RETRY, firstBackoff, Descriptions.of(failure.reason()));
    }
  }
}
