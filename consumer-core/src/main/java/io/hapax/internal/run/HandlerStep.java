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

  /**
   * The user's handler.
   *
   * @param takesMany whether a call may be for several messages
   * @param commits whether a call returns only after it has committed its work
   */
  public record Handler<M>(Call<M> call, boolean takesMany, boolean commits) {

    /** A call of the handler; an empty list means that no message has a result. */
    @FunctionalInterface
    public interface Call<M> {
      List<Bytes> handle(List<Delivery<M>> deliveries) throws Exception;
    }

    public static <M> Handler<M> single(MessageHandler<M> handler) {
      return batch(deliveries -> handler.handle(deliveries.get(0)), false, false);
    }

    public static <M> Handler<M> answering(AnsweringHandler<M> handler) {
      return new Handler<>(deliveries -> List.of(handler.handle(deliveries.get(0))), false, false);
    }

    public static <M> Handler<M> batch(BatchHandler<M> handler, boolean commits) {
      return batch(handler, true, commits);
    }

    private static <M> Handler<M> batch(
        BatchHandler<M> handler, boolean takesMany, boolean commits) {
      Call<M> call = deliveries -> {
        handler.handle(deliveries);
        return List.of();
      };
      return new Handler<>(call, takesMany, commits);
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
          () -> handler.call().handle(ClaimedMessage.deliveries(messages)),
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
      Optional<Outcome.Deferred> own = failures.failed(it, call);
      stop = stop.or(() -> own);
    }
    return stop;
  }
}
