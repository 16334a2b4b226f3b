package io.hapax.chaos;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the reports of a consumer process to its parent. Each is one line and is flushed at once,
 * so that it survives a SIGKILL. Thread-safe.
 */
final class Reports {

  static final String READY = "ready";
  static final String START = "start";
  static final String END = "end";
  static final String ARMED = "armed";
  static final String RECOVERY = "recovery";
  static final String STORE_ERROR = "store-error";

  /** The number of a pause that the parent did not request. */
  static final long BY_EFFECTS = 0;

  private final PrintStream out;

  Reports(OutputStream out) {
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  void ready() {
    write(READY + '\n');
  }

  /** Reports orders that are in flight from here on. Called before any effect. */
  void started(List<InFlight> orders) {
    StringBuilder lines = new StringBuilder();
    for (InFlight order : orders) {
      lines.append(START).append(' ').append(order.place()).append(' ').append(order.orderId());
      lines.append('\n');
    }
    write(lines.toString());
  }

  void ended(InFlight order, Ending ending) {
    write(END + ' ' + order.place() + ' ' + order.orderId() + ' ' + ending + '\n');
  }

  /** Reports that a batch is in flight and pauses, so that a fault hits it. */
  void armed(long request) {
    write(ARMED + (request == BY_EFFECTS ? "" : " " + request) + '\n');
  }

  void recovery(Recovery recovery) {
    write(RECOVERY + ' ' + recovery.orderId() + ' ' + recovery.token() + '\n');
  }

  void storeError() {
    write(STORE_ERROR + '\n');
  }

  private synchronized void write(String lines) {
    out.print(lines);
    out.flush();
  }

  enum Ending {
    EXECUTED,
    DUPLICATE,
    DEAD,
    DEFERRED
  }

  /** An order with the place of its message, for example {@code orders-3@1507}. */
  record InFlight(String place, String orderId) {}

  /** A recovery that a consumer counted before it ran the order again, with its new token. */
  record Recovery(String orderId, long token) {}
}
