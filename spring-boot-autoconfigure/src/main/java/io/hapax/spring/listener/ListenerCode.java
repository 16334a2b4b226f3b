package io.hapax.spring.listener;

import io.hapax.BatchHandler;
import io.hapax.MessageHandler;

/** The application's listener, as the engine calls it. */
public sealed interface ListenerCode<M> {

  /** Returns what calls it with a list, which has one message if the listener takes one. */
  BatchHandler<M> batchHandler();

  record Each<M>(MessageHandler<M> handler) implements ListenerCode<M> {

    @Override
    public BatchHandler<M> batchHandler() {
      return deliveries -> handler.handle(deliveries.get(0));
    }
  }

  record Batches<M>(BatchHandler<M> batchHandler) implements ListenerCode<M> {}

  /** Surrounds the calls of a listener. A bean; the first one in order is the innermost. */
  interface Decorator {

    <M> ListenerCode<M> decorate(
        ListenerDefinition settings, MessageFields<M> fields, ListenerCode<M> code);
  }
}
