package io.hapax.console.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

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

  /**
   * Encodes an event for the connection.
   *
   * @param name the name of the event
   * @param data its text; may have several lines
   * @return its bytes
   */
  static byte[] encoded(String name, String data) {
    StringBuilder text = new StringBuilder("event: ").append(name).append('\n');
    data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Receives events. */
  @FunctionalInterface
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
