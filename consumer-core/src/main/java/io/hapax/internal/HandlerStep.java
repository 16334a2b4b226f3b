package io.hapax.internal;

import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.NotAppliedException;
import io.hapax.Outcome;
import io.hapax.PartlyHandledException;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.Optional;

/** Leased mode: runs the handler, and leaves the DONE marks to the settler. */
final class HandlerStep<M> implements Step<M> {

  private final Engine<M> engine;
  private final BatchHandler<M> handler;
  private final boolean takesMany;

  private HandlerStep(Engine<M> engine, BatchHandler<M> handler, boolean takesMany) {
    this.engine = engine;
    this.handler = handler;
    this.takesMany = takesMany;
  }

  static <M> HandlerStep<M> single(Engine<M> engine, MessageHandler<M> handler) {
    return new HandlerStep<>(engine, deliveries -> handler.handle(deliveries.get(0)), false);
  }

  static <M> HandlerStep<M> batch(Engine<M> engine, BatchHandler<M> handler) {
    return new HandlerStep<>(engine, handler, true);
  }

  @Override
  public boolean takesMany() {
    return takesMany;
  }

  @Override
  public Optional<Outcome.Deferred> run(List<Started<M>> started) {
    List<Started<M>> messages =
        started.stream().filter(it -> it.item().beginHandling()).toList();
    if (messages.isEmpty()) {
      return Optional.of(Deferrals.ABANDONED);
    }
    List<Delivery<M>> deliveries =
        messages.stream().map(it -> engine.delivery(it.item(), it.acquired())).toList();
    try {
      handle(messages, deliveries);
    } catch (HandlerFailure failure) {
      return failure.reason() instanceof PartlyHandledException partly
          ? partly(messages, partly)
          : failed(messages, failure.reason());
    }
    done(messages);
    return Optional.empty();
  }

  private Optional<Outcome.Deferred> partly(
      List<Started<M>> messages, PartlyHandledException partly) {
    int handled = Math.min(partly.handled(), messages.size());
    done(messages.subList(0, handled));
    Throwable cause = partly.getCause() == null ? partly : partly.getCause();
    return failed(messages.subList(handled, messages.size()), cause);
  }

  private void done(List<Started<M>> messages) {
    for (Started<M> it : messages) {
      engine
          .settler()
          .settle(it.item(), Verdict.Done.WITHOUT_RESULT, Engine.executed(it.acquired()));
    }
  }

  private void handle(List<Started<M>> messages, List<Delivery<M>> deliveries)
      throws HandlerFailure {
    try {
      engine.handlerCalls().run(() -> handler.handle(deliveries));
    } finally {
      messages.forEach(it -> engine.outcomes().handled(it.item()));
    }
  }

  private Optional<Outcome.Deferred> failed(List<Started<M>> messages, Throwable failure) {
    boolean inDoubt = !(failure instanceof NotAppliedException);
    Optional<Outcome.Deferred> stop = Optional.empty();
    for (Started<M> it : messages) {
      Optional<Outcome.Deferred> own =
          engine.failures().failed(it.item(), it.acquired(), failure, inDoubt);
      stop = stop.or(() -> own);
    }
    return stop;
  }
}
