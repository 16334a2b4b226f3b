package io.hapax.console.http;

import java.io.IOException;

/**
 * A stream of server-sent events to one browser. It occupies a thread of the server until it
 * returns.
 */
@FunctionalInterface
public interface EventStream {

  /**
   * Sends the events.
   *
   * @param sink receives the events
   * @throws IOException if the browser has closed the connection
   * @throws InterruptedException if the server stops
   */
  void send(EventSink sink) throws IOException, InterruptedException;

  /** Receives events. */
  interface EventSink {

    /**
     * Sends an event at once.
     *
     * @param name the name of the event
     * @param data its text; may have several lines
     * @throws IOException if the browser has closed the connection
     */
    void event(String name, String data) throws IOException;
  }
}
