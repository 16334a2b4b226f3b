package io.hapax.internal.run;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import io.hapax.errors.PartlyHandledException;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.Settler;
import io.hapax.mark.Bytes;
import java.util.List;
import java.util.Optional;

/** Runs the handler in leased mode; the settler writes the DONE marks. */
public record HandlerStep<M>(
    HandlerInvoker<M> invoker,
    Results<M> results,
    Settler<M> settler,
    Failures<M> failures,
    Outcomes<M> outcomes,
    Handler<M> handler)
    implements Step<M> {

  /** The user's handler; an empty list means that no message has a result. */
  public interface Handler<M> {

    List<Bytes> handle(List<Delivery<M>> deliveries) throws Exception;

    /** Returns whether a call may be for several messages. */
    default boolean takesMany() {
      return false;
    }

    /** Returns whether a call returns only after it has committed its work. */
    default boolean commits() {
      return false;
    }

    static <M> Handler<M> single(MessageHandler<M> handler) {
      return deliveries -> {
        handler.handle(deliveries.get(0));
        return List.of();
      };
    }

    static <M> Handler<M> answering(AnsweringHandler<M> handler) {
      return deliveries -> List.of(handler.handle(deliveries.get(0)));
    }

    static <M> Handler<M> batch(BatchHandler<M> handler, boolean commits) {
      return new Handler<>() {
        @Override
        public List<Bytes> handle(List<Delivery<M>> deliveries) throws Exception {
          handler.handle(deliveries);
          return List.of();
        }

        @Override
        public boolean takesMany() {
          return true;
        }

        @Override
        public boolean commits() {
          return commits;
        }
      };
    }
  }

  @Override
  public boolean takesMany() {
    return handler.takesMany();
  }

  @Override
  public Optional<Outcome.Deferred> run(List<ClaimedMessage<M>> started) {
    List<ClaimedMessage<M>> messages = begun(started);
    if (messages.isEmpty()) {
      return Optional.of(Deferrals.ABANDONED);
    }
    List<Bytes> returned;
    try {
      returned = handle(messages);
    } catch (HandlerFailure failure) {
      return failure.reason() instanceof PartlyHandledException partly
          ? partly(messages, partly)
          : failed(messages, failure.reason());
    }
    settler.settle(results.done(messages, returned));
    return Optional.empty();
  }

  /**
   * Returns the messages that may run; allocates nothing for a single message, as in most calls.
   */
  private static <M> List<ClaimedMessage<M>> begun(List<ClaimedMessage<M>> started) {
    if (started.size() == 1) {
      return started.get(0).message().beginHandling() ? started : List.of();
    }
    return started.stream().filter(it -> it.message().beginHandling()).toList();
  }

  private Optional<Outcome.Deferred> partly(
      List<ClaimedMessage<M>> messages, PartlyHandledException partly) {
    int handled = Math.min(partly.handled(), messages.size());
    settler.settle(results.done(messages.subList(0, handled), List.of()));
    Throwable cause = partly.getCause() == null ? partly : partly.getCause();
    return failed(messages.subList(handled, messages.size()), cause);
  }

  private List<Bytes> handle(List<ClaimedMessage<M>> messages) throws HandlerFailure {
    try {
      return invoker.run(
          messages,
          () -> handler.handle(ClaimedMessage.deliveries(messages)),
          handler.commits());
    } finally {
      for (int i = 0; i < messages.size(); i++) { // needs no memory, or their ids stay busy
        outcomes.handled(messages.get(i).message());
      }
    }
  }

  private Optional<Outcome.Deferred> failed(List<ClaimedMessage<M>> messages, Throwable failure) {
    FailedCall call = FailedCall.leased(failure, messages.size() > 1);
    Optional<Outcome.Deferred> stop = Optional.empty();
    for (ClaimedMessage<M> it : messages) {
      Optional<Outcome.Deferred> own = failures.failed(it.message(), it.acquired(), call);
      stop = stop.or(() -> own);
    }
    return stop;
  }
}
