package io.hapax.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers until the result of a commit is known. Belongs to the poll thread, except for
 * {@link #stop} and {@link #problem}.
 */
final class OutputProducer<A, B> {

  private static final Logger LOG = LoggerFactory.getLogger(OutputProducer.class);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int COMMITS = 3;

  /** How long offsets wait that a poll without records has reported. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** Makes a producer and initialises its transactions: that ends the one of its predecessor. */
  private final Supplier<Producer<A, B>> producers;

  private final CommittedOffsets offsets;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Offsets that no transaction has committed yet, for example of duplicates. */
  private final Map<TopicPartition, OffsetAndMetadata> settled = new LinkedHashMap<>();

  private long acknowledgedNanos = System.nanoTime();
  private @Nullable Producer<A, B> producer;
  private volatile @Nullable String problem;

  OutputProducer(Supplier<Producer<A, B>> producers, CommittedOffsets offsets) {
    this.producers = producers;
    this.offsets = offsets;
  }

  boolean open() {
    try {
      if (producer == null) {
        producer = producers.get();
        problem = null;
      }
      return true;
    } catch (RuntimeException e) {
      failed("the producer cannot start a transaction", e);
      return false;
    }
  }

  private void failed(String what, Throwable e) {
    LOG.warn("Kafka to Kafka: {}", what, e);
    problem = what + ": " + e;
  }

  /** Lets a running call end after its present record. May be called by any thread. */
  void stop() {
    stopped.countDown();
  }

  boolean isStopped() {
    return stopped.getCount() == 0;
  }

  void aborting(Throwable cause) {
    problem = "a transaction was aborted: " + cause;
  }

  /** Forgets why nothing was committed: the records belong to another consumer now. */
  void forgetProblem() {
    problem = null;
  }

  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  boolean begin() {
    if (!open()) {
      return false;
    }
    try {
      opened().beginTransaction();
      return true;
    } catch (RuntimeException e) {
      failed("a transaction cannot begin; the producer is replaced", e);
      discard();
      return false;
    }
  }

  Producer<A, B> opened() {
    return Optional.ofNullable(producer).orElseThrow();
  }

  /** Returns false if it was aborted. Throws IllegalStateException if it is stopped before. */
  boolean commit(TopicPartition partition, OffsetAndMetadata end) {
    boolean interrupted = Thread.interrupted();
    try {
      for (int tries = 0; tries < COMMITS; tries++) {
        try {
          opened().commitTransaction();
          return true;
        } catch (TimeoutException | InterruptException e) {
          interrupted |= Thread.interrupted();
          failed("the commit of a transaction was not answered", e);
        } catch (RuntimeException | Error e) { // the brokers may have committed it all the same
          failed("the commit of a transaction failed", e);
          break;
        }
      }
      return wasCommitted(partition, end);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A new producer with the same id ends the transaction first, so that the answer is final. */
  private boolean wasCommitted(TopicPartition partition, OffsetAndMetadata end) {
    discard();
    do {
      try {
        if (open()) {
          return offsets.of(Set.of(partition)).getOrDefault(partition, -1L) >= end.offset();
        }
      } catch (RuntimeException | Error e) {
        failed("it is unknown whether a transaction was committed", e);
      } catch (InterruptedException e) {
        LOG.debug("An interrupt must not end the question whether a transaction was committed", e);
      }
    } while (!stopsSoon());
    throw new IllegalStateException("it is unknown whether a transaction was committed");
  }

  private boolean stopsSoon() {
    try {
      return stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return isStopped(); // an interrupted handler must not end the question either
    }
  }

  /** Aborts the transaction. If the brokers do not answer, the next producer does so. */
  void abort() {
    boolean interrupted = Thread.interrupted();
    try {
      opened().abortTransaction();
    } catch (RuntimeException e) {
      interrupted |= Thread.interrupted();
      LOG.info("A transaction could not be aborted; the next producer aborts it", e);
      discard();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void settled(TopicPartition partition, OffsetAndMetadata next) {
    settled.put(partition, next);
  }

  void forget(Collection<TopicPartition> partitions) {
    settled.keySet().removeAll(partitions);
  }

  /**
   * Commits the settled offsets in a transaction of their own, at once or if some time has passed,
   * and keeps them if that fails. A commit without a transaction could overtake a transaction and
   * move an offset back.
   */
  void acknowledge(ConsumerGroupMetadata membership, boolean now) {
    long nanos = System.nanoTime();
    if (settled.isEmpty() || !(now || nanos - acknowledgedNanos > IDLE.toNanos())) {
      return;
    }
    acknowledgedNanos = nanos;
    if (!open()) {
      return;
    }
    try {
      opened().beginTransaction();
      opened().sendOffsetsToTransaction(Map.copyOf(settled), membership);
      opened().commitTransaction();
      settled.clear();
    } catch (RuntimeException e) {
      failed("the offsets of settled records were not committed", e);
      discard();
    }
  }

  void leave() {
    settled.clear();
    discard();
  }

  /** Closes the producer. A transaction that is open is aborted by the next one. */
  void discard() {
    Producer<A, B> old = producer;
    producer = null;
    if (old != null) {
      try {
        old.close(Duration.ZERO);
      } catch (KafkaException e) {
        LOG.info("The producer did not close well", e);
      }
    }
  }
}
