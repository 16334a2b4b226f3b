package io.hapax.spring.listener;

import io.hapax.ReceiverBuilder;

/** Changes the receiver of a listener before it is built. A bean of the application. */
@FunctionalInterface
public interface ReceiverCustomizer {

  /**
   * Changes a receiver that is about to be built.
   *
   * @param settings the listener's settings
   * @param builder the builder, with these settings
   */
  void customize(ListenerDefinition settings, ReceiverBuilder<?> builder);
}
