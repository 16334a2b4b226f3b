package io.hapax.testkit.fault;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What is to happen on a proxy's connections, and what was seen on them. */
final class FaultPlan {

  private Optional<Fault> ordered = Optional.empty();
  private int countdown;
  private CountDownLatch struck = new CountDownLatch(1);
  private final Map<ProxiedConnection, byte[]> delayed = new HashMap<>();
  private final List<int[]> replies = new ArrayList<>();

  synchronized void order(Fault fault) {
    ordered = Optional.of(fault);
    countdown = fault.command();
    struck = new CountDownLatch(1);
    replies.clear();
  }

  synchronized void cancel() {
    ordered = Optional.empty();
    replies.clear();
  }

  /** Takes the order if it is for a command of which these bytes are a part. */
  synchronized Optional<Fault> take(byte[] bytes, boolean begins) {
    boolean counts = ordered.filter(fault -> counts(fault, bytes, begins)).isPresent();
    if (!counts || --countdown > 0) {
      return Optional.empty();
    }
    Optional<Fault> taken = ordered;
    ordered = Optional.empty();
    return taken;
  }

  private static boolean counts(Fault fault, byte[] bytes, boolean begins) {
    return fault.text().isEmpty()
        ? begins
        : new String(bytes, StandardCharsets.ISO_8859_1).contains(fault.text());
  }

  /** A place to count the bytes of the reply to a command that begins. */
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
    struck.countDown();
  }

  synchronized CountDownLatch strike() {
    return struck;
  }

  synchronized void delay(ProxiedConnection line, byte[] command) {
    delayed.put(line, command);
  }

  synchronized Map<ProxiedConnection, byte[]> takeDelayed() {
    Map<ProxiedConnection, byte[]> taken = Map.copyOf(delayed);
    delayed.clear();
    return taken;
  }
}
