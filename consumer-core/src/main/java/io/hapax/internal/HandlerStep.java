package io.hapax.internal;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.Outcome;
import io.hapax.PartlyHandledException;
import io.hapax.StoreBypass;
import io.hapax.mark.Bytes;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Leased mode: runs the handler, and leaves the DONE marks to the settler. */
final class HandlerStep<M> implements Step<M> {

  /** The user's handler; no results at all stand for none of any. */
  private interface Handler<M> {
    List<Bytes> handle(List<Delivery<M>> deliveries) throws Exception;
  }

  /** One call of it. */
  private final class Call implements HandlerCalls.Code {

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
  private final Encores<M> encores;

  private HandlerStep(Engine<M> engine, Handler<M> handler, boolean takesMany) {
    this.engine = engine;
    this.handler = handler;
    this.takesMany = takesMany;
    this.encores = new Encores<>(engine);
  }

  static <M> HandlerStep<M> single(Engine<M> engine, MessageHandler<M> handler) {
    return new HandlerStep<>(
        engine,
        deliveries -> {
          handler.handle(deliveries.get(0));
          return List.of();
        },
        false);
  }

  static <M> HandlerStep<M> answering(Engine<M> engine, AnsweringHandler<M> handler) {
    return new HandlerStep<>(
        engine, deliveries -> List.of(handler.handle(deliveries.get(0))), false);
  }

  static <M> HandlerStep<M> batch(Engine<M> engine, BatchHandler<M> handler) {
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
  public Ended<M> run(List<Started<M>> started, int calls) {
    List<Started<M>> messages = begun(started);
    if (messages.isEmpty()) {
      return Ended.over(Optional.of(Deferrals.ABANDONED));
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
    return Ended.over(Optional.empty());
  }

  /** Most calls are for one message, and many messages make many calls. */
  private static <M> List<Started<M>> begun(List<Started<M>> started) {
    if (started.size() == 1) {
      return started.get(0).item().beginHandling() ? started : List.of();
    }
    List<Started<M>> begun = new ArrayList<>(started.size()); // no error can come after this
    for (int i = 0; i < started.size(); i++) {
      if (started.get(i).item().beginHandling()) {
        begun.add(started.get(i));
      }
    }
    return begun;
  }

  private List<Delivery<M>> deliveries(List<Started<M>> messages) {
    return messages.size() == 1
        ? List.of(delivery(messages.get(0)))
        : messages.stream().map(this::delivery).toList();
  }

  private Delivery<M> delivery(Started<M> it) {
    return engine.delivery(it.item(), it.acquired());
  }

  private void tellIfUnprotected(Started<M> it) {
    if (Unprotected.is(it.acquired().claim())) {
      engine.events().bypassed(it.item().requiredKey(), StoreBypass.NOT_CLAIMED);
    }
  }

  private Ended<M> partly(List<Started<M>> messages, PartlyHandledException partly, int calls) {
    int handled = Math.min(partly.handled(), messages.size());
    done(messages.subList(0, handled), List.of());
    Throwable cause = partly.getCause() == null ? partly : partly.getCause();
    return failed(messages.subList(handled, messages.size()), cause, calls);
  }

  private void done(List<Started<M>> messages, List<Bytes> results) {
    List<Judged<M>> done = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      done.add(done(messages.get(i), results.isEmpty() ? Bytes.EMPTY : results.get(i)));
    }
    engine.settler().settle(done);
  }

  private Judged<M> done(Started<M> it, Bytes returned) {
    Bytes result = engine.results().kept(it.item(), returned);
    Verdict verdict = result.length() == 0 ? Verdict.Done.WITHOUT_RESULT : new Verdict.Done(result);
    return new Judged<>(it.item(), verdict, Engine.executed(it.acquired(), result));
  }

  private List<Bytes> handle(List<Started<M>> messages) throws HandlerFailure {
    try {
      for (Started<M> it : messages) {
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

  private Ended<M> failed(List<Started<M>> messages, Throwable failure, int calls) {
    FailedCall call = FailedCall.leased(failure, messages.size() > 1);
    Optional<Duration> wait = encores.waitFor(messages, call, calls);
    if (wait.isPresent()) {
      return new Ended.Again<>(new Encore<>(engine, messages), wait.get());
    }
    Optional<Outcome.Deferred> stop = Optional.empty();
    for (Started<M> it : messages) {
      Optional<Outcome.Deferred> own = engine.failures().failed(it.item(), it.acquired(), call);
      stop = stop.or(() -> own);
    }
    return Ended.over(stop);
  }
}
