package io.hapax.kafka;

import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.TransactionalHandler;
import io.hapax.errors.DeferredException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.errors.RolledBackException;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.mark.Claim;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Runs consecutive records of a partition in one Kafka transaction with their offset. Throws only
 * if nothing was committed. Belongs to the poll thread.
 */
final class OutputTransactions<K, V, A, B> implements BatchHandler<ConsumerRecord<K, V>> {

  private record Result(int handled, Optional<Exception> failure) {

    static Result committed(int records) {
      return new Result(records, Optional.empty());
    }

    static Result aborted(int handled, Exception failure) {
      return new Result(handled, Optional.of(failure));
    }
  }

  private static final Duration SOON = Duration.ofMillis(500);
  private static final Duration OUTCOMES = Duration.ofSeconds(2);
  private static final int DEEPEST_CAUSE = 10;

  private final OutputProducer<A, B> producer;
  private final TransactionalHandler<ConsumerRecord<K, V>, KafkaOutputs<A, B>> handler;
  private final OffsetProbedStore store;

  /** After this time a transaction takes no further record. */
  private final Duration longestTransaction;

  /** After this time a call of the handler takes no further record. */
  private final Duration longestCall;

  private Map<TopicPartition, PolledWindow<K, V>> windows = Map.of();
  private @Nullable ConsumerGroupMetadata group;

  /** Whose object a call of the handler has got. */
  private final Set<Delivery<ConsumerRecord<K, V>>> given =
      Collections.newSetFromMap(new IdentityHashMap<>());

  OutputTransactions(
      OutputProducer<A, B> producer,
      TransactionalHandler<ConsumerRecord<K, V>, KafkaOutputs<A, B>> handler,
      OffsetProbedStore store,
      Duration longestTransaction,
      Duration longestCall) {
    this.producer = producer;
    this.handler = handler;
    this.store = store;
    this.longestTransaction = longestTransaction;
    this.longestCall = longestCall;
  }

  /** Starts a poll. A consumer that has left the group since cannot commit with its membership. */
  void polled(Map<TopicPartition, PolledWindow<K, V>> polled, ConsumerGroupMetadata membership) {
    windows = polled;
    group = membership;
  }

  /**
   * Runs the records in transactions. If one fails, those before it run again without it, and it
   * runs alone when it is redelivered.
   */
  @Override
  public void handle(List<Delivery<ConsumerRecord<K, V>>> deliveries) throws Exception {
    long until = System.nanoTime() + longestCall.toNanos();
    given.clear();
    int done = 0;
    int end = deliveries.size();
    Optional<Exception> failure = Optional.empty();
    while (done < end) {
      Result result = runOrReport(deliveries.subList(done, end), done);
      if (result.failure().isPresent()) {
        failure = result.failure();
        end = done + result.handled();
      } else {
        done += result.handled();
        if (done < end && (producer.isStopped() || System.nanoTime() - until >= 0)) {
          failure = Optional.of(new DeferredException(Duration.ZERO, "the poll takes too long"));
          end = done;
        }
      }
    }
    if (failure.isPresent()) {
      throw deliveries.size() == 1
          ? failure.get()
          : new PartlyHandledException(done, alone(failure.get()));
    }
  }

  private Result runOrReport(List<Delivery<ConsumerRecord<K, V>>> deliveries, int done) {
    try {
      return run(deliveries);
    } catch (RuntimeException | Error e) {
      if (done > 0) {
        throw new PartlyHandledException(done, e);
      }
      throw e;
    }
  }

  /** Returns the error for the records of a call that were not committed: each runs alone. */
  private static DeferredException alone(Exception failure) {
    return failure instanceof DeferredException deferred
        ? deferred
        : new DeferredException(Duration.ZERO, "a record of the same transaction failed");
  }

  private Result run(List<Delivery<ConsumerRecord<K, V>>> deliveries) {
    ConsumerRecord<K, V> first = deliveries.get(0).message();
    PolledWindow<K, V> window = PolledWindow.of(first, windows);
    if (!isTurnOf(first, window)) {
      return Result.aborted(0, new DeferredException(SOON, "a record before it is not settled"));
    }
    if (!producer.begin()) {
      return Result.aborted(0, new DeferredException(SOON, producer.problem().orElse("")));
    }
    KafkaOutputs<A, B> outputs = new KafkaOutputs<>(producer.opened());
    int handled = 0;
    try {
      long until = System.nanoTime() + longestTransaction.toNanos();
      do {
        handler.handle(outputs, List.of(forNextCall(deliveries.get(handled), window)));
        throwIfPresent(outputs.error());
        handled++;
      } while (handled < deliveries.size()
          && window.follows(
              deliveries.get(handled).message(), deliveries.get(handled - 1).message())
          && !producer.isStopped()
          && System.nanoTime() - until < 0);
    } catch (Throwable e) {
      outputs.close();
      Exception failure = failure(e, outputs); // before the abort, which makes sends fail
      producer.abort();
      return Result.aborted(handled, failure);
    }
    outputs.close();
    return commit(window, deliveries.subList(0, handled), outputs);
  }

  private Delivery<ConsumerRecord<K, V>> forNextCall(
      Delivery<ConsumerRecord<K, V>> delivery, PolledWindow<K, V> window) {
    return given.add(delivery) ? delivery : delivery.with(window.again(delivery.message()));
  }

  private boolean isTurnOf(ConsumerRecord<K, V> record, PolledWindow<K, V> window) {
    try {
      return window.awaitTurn(record, OUTCOMES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void throwIfPresent(Optional<Exception> error) throws Exception {
    if (error.isPresent()) {
      throw error.get();
    }
  }

  private Exception failure(Throwable error, KafkaOutputs<A, B> outputs) {
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    Throwable cause = outputs.error().map(it -> (Throwable) it).orElse(error);
    boolean ofKafka = outputs.error().isPresent() || error instanceof KafkaException;
    if (ofKafka
        && Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
            .limit(DEEPEST_CAUSE)
            .anyMatch(OutputTransactions::isOfBrokers)) {
      producer.aborting(cause);
      return new DeferredException(SOON, "the transaction was aborted: " + cause);
    }
    return new RolledBackException(cause);
  }

  private static boolean isOfBrokers(Throwable error) {
    return error instanceof RetriableException
        || error instanceof CommitFailedException
        || error instanceof ProducerFencedException
        || error instanceof InvalidProducerEpochException
        || error instanceof OutOfOrderSequenceException
        || error instanceof InterruptException;
  }

  private Result commit(
      PolledWindow<K, V> window,
      List<Delivery<ConsumerRecord<K, V>>> deliveries,
      KafkaOutputs<A, B> outputs) {
    List<ConsumerRecord<K, V>> records =
        deliveries.stream().map(Delivery::message).toList();
    ConsumerRecord<K, V> last = records.get(records.size() - 1);
    TopicPartition partition = RecordPlace.of(last).partition();
    OffsetAndMetadata end = PolledWindow.behind(last);
    try {
      producer.opened().flush();
      throwIfPresent(outputs.error());
      if (!deliveries.stream().allMatch(Delivery::isCurrent)) {
        throw new DeferredException(SOON, "the lease was lost before the commit");
      }
      producer.opened().sendOffsetsToTransaction(Map.of(partition, end), membership());
    } catch (Exception e) {
      Exception failure = e instanceof DeferredException ? e : failure(e, outputs);
      producer.abort();
      return Result.aborted(0, failure);
    }
    List<Claim> claims = deliveries.stream().map(Delivery::claim).toList();
    store.undecided(claims); // remains if the next line throws
    boolean committed = producer.commit(partition, end);
    store.decided(claims, committed);
    if (!committed) {
      return Result.aborted(0, new DeferredException(SOON, "the transaction was not committed"));
    }
    window.committed(records);
    producer.forgetProblem();
    return Result.committed(records.size());
  }

  private ConsumerGroupMetadata membership() {
    return Optional.ofNullable(group).orElseThrow();
  }
}
