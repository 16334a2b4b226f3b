package io.hapax.spring.listener;

/** Surrounds the calls of a listener. A bean; the first one in order is the innermost. */
public interface ListenerDecorator {

  <M> ListenerCode<M> decorate(
      ListenerDefinition settings, MessageFields<M> fields, ListenerCode<M> code);
}
