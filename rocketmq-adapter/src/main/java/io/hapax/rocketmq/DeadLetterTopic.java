package io.hapax.rocketmq;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the dead-letter topic of a consumer, and creates it if it does not exist. */
final class DeadLetterTopic {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

  private final ClientInternals internals;
  private final String topic;
  private final AtomicLong nextCheckNanos = new AtomicLong(System.nanoTime());
  private volatile boolean ready;
  private volatile Optional<String> missing = Optional.empty();

  /** Creates the topic of that name; the group's own if the name is empty. */
  DeadLetterTopic(ClientInternals internals, String topic) {
    this.internals = internals;
    this.topic = topic;
  }

  /** Returns the name of the topic, as it is passed to the client. */
  String name() {
    return topic.isEmpty() ? ClientInternals.DEAD_LETTER_PREFIX + internals.group() : topic;
  }

  boolean canBeAskedFor() {
    return internals.isStarted();
  }

  /**
   * Makes sure that the topic exists. Does nothing while no topic of the consumer has a known
   * broker, because there is no broker to create it on.
   *
   * @throws IllegalStateException if it does not and cannot be created
   */
  void prepare() throws RemotingException, InterruptedException, MQClientException {
    if (ready) {
      return;
    }
    internals.producer().setMaxMessageSize(Integer.MAX_VALUE); // the broker's limit counts
    String name = internals.wireName(name());
    if (!internals.knows(name)) {
      if (internals.masters().isEmpty()) {
        return;
      }
      create(name);
    }
    ready = true;
    missing = Optional.empty();
  }

  private void create(String name) throws RemotingException, InterruptedException {
    try {
      internals.createTopic(name);
    } catch (MQBrokerException | MQClientException e) {
      String reason =
          "dead-letter topic '" + name + "' does not exist and cannot be created: create it";
      missing = Optional.of(reason);
      throw new IllegalStateException(reason, e);
    }
  }

  /**
   * Repeats {@link #prepare} at intervals until the topic exists. Failures to create the topic are
   * logged and do not stop the caller. They are therefore known before a message needs the topic.
   */
  void prepareIfDue() throws InterruptedException {
    long now = System.nanoTime();
    long due = nextCheckNanos.get();
    if (ready
        || !canBeAskedFor()
        || now - due < 0
        || !nextCheckNanos.compareAndSet(due, now + CHECK_INTERVAL.toNanos())) {
      return;
    }
    try {
      prepare();
    } catch (RemotingException | MQClientException | IllegalStateException e) {
      LOG.warn("The dead-letter topic could not be prepared; failed messages wait", e);
    }
  }

  /** Returns why the topic does not exist, if that is known. */
  Optional<Problems.Found> problem() {
    return missing.map(text -> new Problems.Found(Problem.Kind.DEAD_LETTERS, name(), text));
  }
}
