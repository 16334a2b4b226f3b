package io.hapax.testkit.fault;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next fault of a proxy, its delayed commands, the lengths of replies, and whether all data is
 * stopped.
 */
final class FaultPlan {

  private Optional<Fault> ordered = Optional.empty();
  private int countdown;
  private boolean struck;
  private boolean shut;
  private final Map<ProxiedConnection, byte[]> delayed = new HashMap<>();
  private final List<int[]> replies = new ArrayList<>();

  synchronized void order(Fault fault) {
    ordered = Optional.of(fault);
    countdown = fault.command();
    struck = false;
    replies.clear();
  }

  synchronized void cancel() {
    ordered = Optional.empty();
    replies.clear();
  }

  synchronized void shut(boolean isShut) {
    shut = isShut;
    notifyAll();
  }

  /** Waits while data is stopped. Only threads of the proxy call this. */
  synchronized void pass() {
    try {
      while (shut) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("a thread of the proxy was interrupted", e);
    }
  }

  /** Takes the fault if a command begins that is the one of the fault. */
  synchronized Optional<Fault> take() {
    if (ordered.isEmpty() || --countdown > 0) {
      return Optional.empty();
    }
    Optional<Fault> taken = ordered;
    ordered = Optional.empty();
    return taken;
  }

  /** Creates a counter for the bytes of the reply to a new command. */
  synchronized int[] newReply() {
    int[] length = new int[1];
    replies.add(length);
    return length;
  }

  synchronized void replied(int[] reply, int bytes) {
    reply[0] += bytes;
  }

  synchronized List<Integer> replyLengths() {
    return replies.stream().map(length -> length[0]).toList();
  }

  synchronized void struck() {
    struck = true;
  }

  synchronized boolean hasStruck() {
    return struck;
  }

  synchronized void delay(ProxiedConnection connection, byte[] command) {
    delayed.put(connection, command);
  }

  synchronized Map<ProxiedConnection, byte[]> takeDelayed() {
    Map<ProxiedConnection, byte[]> taken = Map.copyOf(delayed);
    delayed.clear();
    return taken;
  }
}
