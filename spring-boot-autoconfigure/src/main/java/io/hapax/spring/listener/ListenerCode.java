package io.hapax.spring.listener;

import io.hapax.BatchHandler;
import io.hapax.MessageHandler;

/** The application's listener, as the engine calls it. */
public sealed interface ListenerCode<M> {

  /** A listener that takes one message. */
  record Each<M>(MessageHandler<M> handler) implements ListenerCode<M> {}

  /** A listener that takes a list of messages. */
  record Batches<M>(BatchHandler<M> handler) implements ListenerCode<M> {}
}
