package io.hapax.demo.scene;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import java.io.IOException;
import java.util.List;

/** A topic of events. One group reads it, whose members keep no order. */
public interface EventTopic<M> extends AutoCloseable {

  /** The header or property that carries the id of an event. */
  String ID = "event-id";

  /** Returns the name of the topic, which is also the name of its group and of its consumer. */
  String name();

  /**
   * Sends events in their order, and returns when the broker has stored all of them. An event may
   * occur twice. After an exception, some may be stored.
   */
  void send(List<OrderEvent> events) throws IOException, InterruptedException;

  /** Returns a builder of a receiver that knows events by their id and compares their bytes. */
  ReceiverBuilder<M> receiver();

  /** Reads an event. A message that is no event is rejected. */
  OrderEvent event(M message);

  /** Lets a member of the group submit its messages to a receiver. The subscription closes it. */
  Subscription read(IdempotentReceiver<M> receiver, Member member) throws IOException;

  /**
   * Lets a member of the group pass each message to a handler and acknowledge it afterwards. If the
   * handler throws, the broker redelivers the message.
   */
  Subscription readNaively(NaiveHandler handler, Settled settled, Member member) throws IOException;

  @Override
  void close();

  @FunctionalInterface
  interface NaiveHandler {

    /** Handles an event. If that fails, the event is redelivered. */
    void handle(OrderEvent event) throws Exception;
  }

  @FunctionalInterface
  interface Subscription extends AutoCloseable {

    /** Ends the subscription, and waits for running handlers. */
    @Override
    void close();
  }
}
