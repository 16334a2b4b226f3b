package io.hapax.demo;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Holds the README's example of the problem: a loop that loses orders. Only compiled, never run.
 */
final class ReadmeNaive {

  private final Seen seen = new Seen();
  private final Queue<String> booked = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  void run(Consumer<String, String> consumer) {
    // example: begin
    while (running) {
      for (var record : consumer.poll(Duration.ofMillis(500))) {
        if (seen.putIfAbsent(record.key())) { // a row in a table, or SET NX in Redis
          book(record.value());
        }
      }
      consumer.commitSync();
    }
    // example: end
  }

  void stop() {
    running = false;
  }

  List<String> booked() {
    return List.copyOf(booked);
  }

  private void book(String order) {
    booked.add(order);
  }

  private static final class Seen {

    private final Set<String> ids = ConcurrentHashMap.newKeySet();

    boolean putIfAbsent(String id) {
      return ids.add(id);
    }
  }
}
