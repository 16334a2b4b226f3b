package io.hapax.demo;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a consumer process tells its parent, one line each, flushed at once: a line that was written
 * before a SIGKILL arrives. Thread-safe.
 */
final class Reports {

  static final String READY = "ready";
  static final String POLLED = "polled";
  static final String START = "start";
  static final String END = "end";
  static final String ARMED = "armed";
  static final String RECOVERY = "recovery";
  static final String STORE_ERROR = "store-error";

  private final PrintStream out;

  Reports(OutputStream out) {
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  /** The consumer is about to poll. */
  void ready() {
    write(READY + '\n');
  }

  /** The broker handed out so many records. */
  void polled(int records) {
    write(POLLED + ' ' + records + '\n');
  }

  /** Orders enter a handler; from here on they are in flight. Written before any effect. */
  void started(List<InFlight> orders) {
    StringBuilder lines = new StringBuilder();
    for (InFlight order : orders) {
      lines.append(START).append(' ').append(order.place()).append(' ').append(order.orderId());
      lines.append('\n');
    }
    write(lines.toString());
  }

  /** The message of an order has its outcome. */
  void ended(InFlight order, Ending ending) {
    write(END + ' ' + order.place() + ' ' + order.orderId() + ' ' + ending + '\n');
  }

  /** A batch is in flight and takes its time: now a kill would hit something. */
  void armed() {
    write(ARMED + '\n');
  }

  /** A recovery is counted, before its handler runs. */
  void recovery(Recovery recovery) {
    write(RECOVERY + ' ' + recovery.orderId() + ' ' + recovery.token() + '\n');
  }

  /** The store did not answer. */
  void storeError() {
    write(STORE_ERROR + '\n');
  }

  private synchronized void write(String lines) {
    out.print(lines);
    out.flush();
  }

  /** What became of a message. */
  enum Ending {
    EXECUTED,
    DUPLICATE,
    DEAD,
    DEFERRED
  }

  /**
   * An order that came with a message.
   *
   * @param place where its message lies, for example {@code orders-3@1507}
   * @param orderId the order
   */
  record InFlight(String place, String orderId) {}
}
