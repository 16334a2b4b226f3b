package io.hapax.spring.listener;

/** Surrounds the calls of a listener. A bean; the first one in order is the innermost. */
public interface ListenerDecorator {

  /**
   * Surrounds the calls of a listener.
   *
   * @param settings the listener's settings
   * @param fields reads messages of its broker
   * @param code calls the listener
   * @param <M> the broker's message
   * @return the decorated code
   */
  <M> ListenerCode<M> decorate(
      ListenerSettings settings, MessageFields<M> fields, ListenerCode<M> code);
}
