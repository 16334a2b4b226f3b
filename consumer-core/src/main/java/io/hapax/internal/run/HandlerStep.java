package io.hapax.internal.run;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.StoreBypass;
import io.hapax.adapter.Outcome;
import io.hapax.errors.PartlyHandledException;
import io.hapax.internal.Engine;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.settle.PendingSettlement;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.Bytes;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Leased mode: runs the handler, and leaves the DONE marks to the settler. */
public final class HandlerStep<M> implements Step<M> {

  /** The user's handler; no results at all stand for none of any. */
  private interface Handler<M> {
    List<Bytes> handle(List<Delivery<M>> deliveries) throws Exception;
  }

  /** One call of it. */
  private final class Call implements UserCodeCalls.Code {

    private final List<Delivery<M>> deliveries;
    private List<Bytes> results = List.of();

    Call(List<Delivery<M>> deliveries) {
      this.deliveries = deliveries;
    }

    @Override
    public void run() throws Exception {
      results = handler.handle(deliveries);
    }
  }

  private final Engine<M> engine;
  private final Handler<M> handler;
  private final boolean takesMany;
  private final InProcessRetries<M> encores;

  private HandlerStep(Engine<M> engine, Handler<M> handler, boolean takesMany) {
    this.engine = engine;
    this.handler = handler;
    this.takesMany = takesMany;
    this.encores = new InProcessRetries<>(engine);
  }

  public static <M> HandlerStep<M> single(Engine<M> engine, MessageHandler<M> handler) {
    return new HandlerStep<>(
        engine,
        deliveries -> {
          handler.handle(deliveries.get(0));
          return List.of();
        },
        false);
  }

  public static <M> HandlerStep<M> answering(Engine<M> engine, AnsweringHandler<M> handler) {
    return new HandlerStep<>(
        engine, deliveries -> List.of(handler.handle(deliveries.get(0))), false);
  }

  public static <M> HandlerStep<M> batch(Engine<M> engine, BatchHandler<M> handler) {
    return new HandlerStep<>(
        engine,
        deliveries -> {
          handler.handle(deliveries);
          return List.of();
        },
        true);
  }

  @Override
  public boolean takesMany() {
    return takesMany;
  }

  @Override
  public StepResult<M> run(List<ClaimedMessage<M>> started, int calls) {
    List<ClaimedMessage<M>> messages = begun(started);
    if (messages.isEmpty()) {
      return StepResult.over(Optional.of(Deferrals.ABANDONED));
    }
    List<Bytes> results;
    try {
      results = handle(messages);
    } catch (HandlerFailure failure) {
      return failure.reason() instanceof PartlyHandledException partly
          ? partly(messages, partly, calls)
          : failed(messages, failure.reason(), calls);
    }
    done(messages, results);
    return StepResult.over(Optional.empty());
  }

  /** Most calls are for one message, and many messages make many calls. */
  private static <M> List<ClaimedMessage<M>> begun(List<ClaimedMessage<M>> started) {
    if (started.size() == 1) {
      return started.get(0).item().beginHandling() ? started : List.of();
    }
    List<ClaimedMessage<M>> begun = new ArrayList<>(started.size()); // no error can come after this
    for (int i = 0; i < started.size(); i++) {
      if (started.get(i).item().beginHandling()) {
        begun.add(started.get(i));
      }
    }
    return begun;
  }

  private List<Delivery<M>> deliveries(List<ClaimedMessage<M>> messages) {
    return messages.size() == 1
        ? List.of(delivery(messages.get(0)))
        : messages.stream().map(this::delivery).toList();
  }

  private Delivery<M> delivery(ClaimedMessage<M> it) {
    return engine.delivery(it.item(), it.acquired());
  }

  private void tellIfUnprotected(ClaimedMessage<M> it) {
    if (UnclaimedRun.is(it.acquired().claim())) {
      engine.events().bypassed(it.item().requiredKey(), StoreBypass.NOT_CLAIMED);
    }
  }

  private StepResult<M> partly(
      List<ClaimedMessage<M>> messages, PartlyHandledException partly, int calls) {
    int handled = Math.min(partly.handled(), messages.size());
    done(messages.subList(0, handled), List.of());
    Throwable cause = partly.getCause() == null ? partly : partly.getCause();
    return failed(messages.subList(handled, messages.size()), cause, calls);
  }

  private void done(List<ClaimedMessage<M>> messages, List<Bytes> results) {
    List<PendingSettlement<M>> done = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      done.add(done(messages.get(i), results.isEmpty() ? Bytes.EMPTY : results.get(i)));
    }
    engine.settler().settle(done);
  }

  private PendingSettlement<M> done(ClaimedMessage<M> it, Bytes returned) {
    Bytes result = engine.results().kept(it.item(), returned);
    Verdict verdict = result.length() == 0 ? Verdict.Done.WITHOUT_RESULT : new Verdict.Done(result);
    return new PendingSettlement<>(it.item(), verdict, Engine.executed(it.acquired(), result));
  }

  private List<Bytes> handle(List<ClaimedMessage<M>> messages) throws HandlerFailure {
    try {
      for (ClaimedMessage<M> it : messages) {
        tellIfUnprotected(it);
      }
      Call call = new Call(deliveries(messages));
      engine.handling().run(messages, call);
      return call.results;
    } finally {
      for (int i = 0; i < messages.size(); i++) { // without an iterator: memory may be used up
        engine.outcomes().handled(messages.get(i).item());
      }
    }
  }

  private StepResult<M> failed(List<ClaimedMessage<M>> messages, Throwable failure, int calls) {
    FailedCall call = FailedCall.leased(failure, messages.size() > 1);
    Optional<Duration> wait = encores.waitFor(messages, call, calls);
    if (wait.isPresent()) {
      return new StepResult.Again<>(new PendingRetry<>(engine, messages), wait.get());
    }
    Optional<Outcome.Deferred> stop = Optional.empty();
    for (ClaimedMessage<M> it : messages) {
      Optional<Outcome.Deferred> own = engine.failures().failed(it.item(), it.acquired(), call);
      stop = stop.or(() -> own);
    }
    return StepResult.over(stop);
  }
}
