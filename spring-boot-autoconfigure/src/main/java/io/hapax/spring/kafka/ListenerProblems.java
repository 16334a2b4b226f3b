package io.hapax.spring.kafka;

import io.hapax.health.Problem;
import io.hapax.health.Problem.Kind;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.AlteredPollException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.listener.MessageListenerContainer;

/** What keeps messages from the receiver of a listener. Thread-safe. */
final class ListenerProblems {

  private final Problems problems;

  /** The running consumers' threads, by the id of their container. */
  private final Map<String, Thread> threads = new ConcurrentHashMap<>();

  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  ListenerProblems(InstantSource clock) {
    this.problems = new Problems(clock);
  }

  void starting(String container) {
    threads.put(container, Thread.currentThread());
    problems.clear(Kind.RECEIVER_DOWN, container);
    problems.clear(Kind.CONFIGURATION, container);
  }

  void misconfigured(MessageListenerContainer container, AlteredPollException because) {
    problems.raise(
        Kind.CONFIGURATION,
        String.valueOf(container.getListenerId()),
        String.valueOf(because.getMessage()));
  }

  void stopped(String container, ConsumerStoppedEvent.Reason reason) {
    threads.remove(container);
    failing.removeIf(it -> {
      boolean isOfThisThread = it.endsWith(onThisThread(""));
      if (isOfThisThread) {
        problems.clear(Kind.INTERNAL_ERROR, it);
      }
      return isOfThisThread;
    });
    String text = reason == ConsumerStoppedEvent.Reason.NORMAL
        ? " was stopped"
        : " has ended, reason " + reason + " (the log has the cause)";
    down(container, text);
  }

  private void down(String container, String text) {
    problems.raise(
        Kind.RECEIVER_DOWN,
        container,
        "the container " + container + text + ": it receives no message until it is started again");
  }

  /** The message of the exception may repeat a record, so only the log has it. */
  void fails(String method, Throwable thrown) {
    failing.add(onThisThread(method));
    problems.raise(
        Kind.INTERNAL_ERROR,
        onThisThread(method),
        "",
        method + " threw " + thrown.getClass().getName() + " (the log has it): the messages of this"
            + " consumer wait, or its interceptor has not cleaned up");
  }

  void works(String method) {
    if (failing.remove(onThisThread(method))) {
      problems.clear(Kind.INTERNAL_ERROR, onThisThread(method));
    }
  }

  private static String onThisThread(String method) {
    return method + " on " + Thread.currentThread().getName();
  }

  void unreadable(TopicPartition partition, String text) {
    problems.raise(Kind.PARTITION_STOPPED, partition.toString(), partition + ": " + text);
  }

  void readable(Collection<TopicPartition> partitions) {
    partitions.forEach(it -> problems.clear(Kind.PARTITION_STOPPED, it.toString()));
  }

  List<Problem> list() {
    threads.forEach((container, thread) -> {
      if (!thread.isAlive()) {
        down(container, " has lost its thread to an exception (the log has it)");
      }
    });
    return problems.list();
  }
}
