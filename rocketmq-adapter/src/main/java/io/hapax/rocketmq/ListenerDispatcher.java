package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.ReceiverPort;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the messages of one listener call to the receiver and waits for their outcomes, on the
 * client's thread. While the store is down that thread waits, so that the client stops pulling.
 *
 * <p>The messages of a call are one lane if their queue has an order, or if the handler takes many
 * messages, so that it gets them together. A handler for one message, without an order, gets as
 * many lanes as the consumer has threads, so that a slow message holds back few others of its call.
 * A message that cannot run now holds back those behind it only where their queue has an order.
 */
final class ListenerDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerDispatcher.class);

  private final IdempotentReceiver<MessageExt> receiver;
  private final DefaultMQPushConsumer consumer;
  private final GroupCheck check;
  private final DrainGate gate = new DrainGate();
  private final Probation probation;
  private final Duration patience;
  private final boolean inOrder;
  private final int mostLanes;
  /** Of a receiver that was made of the consumer's group, and ends with the listener. */
  private final Optional<String> consumerName;

  private final Optional<RocketMqDeadLetterPublisher> deadLetters;
  private final Problems problems;
  private volatile boolean clientGaveUp;

  /** Dispatches to a receiver of the application, which stays open. */
  static ListenerDispatcher to(
      IdempotentReceiver<MessageExt> receiver, DefaultMQPushConsumer consumer, boolean inOrder) {
    return new ListenerDispatcher(
        consumer, receiver, inOrder, Optional.empty(), PushConsumerSettings.patience(consumer));
  }

  /** Dispatches to the receiver of a wrapped listener, which also ends if a setting is refused. */
  static ListenerDispatcher owning(
      IdempotentReceiver<MessageExt> receiver, DefaultMQPushConsumer consumer, boolean inOrder) {
    try {
      return new ListenerDispatcher(
          consumer,
          receiver,
          inOrder,
          Optional.of(ClientInternals.consumerName(consumer)),
          PushConsumerSettings.patience(consumer));
    } catch (RuntimeException | Error refused) {
      try {
        receiver.close();
      } catch (RuntimeException | Error e) {
        refused.addSuppressed(e);
      }
      throw refused;
    }
  }

  ListenerDispatcher(
      DefaultMQPushConsumer consumer,
      IdempotentReceiver<MessageExt> receiver,
      boolean inOrder,
      Optional<String> consumerName,
      Duration patience) {
    ReceiverPort.Settings given = receiver.port().settings();
    PushConsumerSettings.prepare(consumer, receiver).forEach(LOG::warn);
    this.consumer = consumer;
    this.receiver = receiver;
    this.inOrder = inOrder;
    this.mostLanes =
        inOrder || given.handlesBatches() ? 1 : Math.max(1, consumer.getConsumeThreadMax());
    this.consumerName = consumerName;
    this.deadLetters = RocketMqDeadLetterPublisher.of(receiver);
    ClientInternals internals = new ClientInternals(consumer);
    this.check = new GroupCheck(internals, given.retention(), receiver.port().clock(), true);
    this.probation = new Probation(Duration.ofMillis(consumer.getPersistConsumerOffsetInterval()));
    this.patience = patience;
    this.problems = new Problems(receiver.port().clock());
  }

  /** Empty if nothing may be answered: the queue was given up, its messages stay there. */
  Optional<List<Outcome>> take(List<MessageExt> messages, MessageQueue queue) {
    Optional<List<Outcome>> outcomes = Optional.empty();
    try {
      if (gate.enter()) {
        outcomes = entered(messages, queue);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down and waits no longer
      clientGaveUp = true;
    }
    if (outcomes.isEmpty()) {
      ClientInternals.giveUp(consumer, queue);
    } else {
      ClientInternals.releaseDeferred(consumer, queue);
    }
    return outcomes;
  }

  private Optional<List<Outcome>> entered(List<MessageExt> messages, MessageQueue queue)
      throws InterruptedException {
    try {
      Optional<String> changed = changed();
      Optional<String> refusal = changed.or(check::refusal);
      updateProblems(changed);
      if (refusal.isPresent()) {
        LOG.error("{}: queue {} is given up", refusal.get(), queue);
        return Optional.empty();
      }
      if (deadLetters.isPresent()) {
        deadLetters.get().prepareIfDue();
        updateProblems(changed);
      }
      List<Outcome> outcomes = receive(messages, queue);
      if (outcomes.stream().anyMatch(ListenerDispatcher::isGivenUp)) {
        receiver.port().requireRunning();
      }
      return gate.isOpen() || outcomes.stream().noneMatch(ListenerDispatcher::isGivenUp)
          ? Optional.of(outcomes)
          : Optional.empty();
    } catch (ReceiverClosedException closed) {
      LOG.error("Queue {} is given up: the receiver is closed", queue, closed);
      return Optional.empty();
    } finally {
      gate.leave();
    }
  }

  /** Returns a problem if the consumer was changed after the listener was made. */
  private Optional<String> changed() {
    int attempts = receiver.port().settings().maxAttempts();
    return renamed().or(() -> PushConsumerSettings.refusal(consumer, attempts));
  }

  private Optional<String> renamed() {
    String now = ClientInternals.consumerName(consumer);
    return consumerName
        .filter(then -> !then.equals(now))
        .map(then -> "the listener was wrapped for " + then + ", but its consumer is " + now
            + " now: set its group, namespace and name server before wrap(..)");
  }

  private static boolean isGivenUp(Outcome outcome) {
    return outcome instanceof Deferred deferred && deferred.reason() == Outcome.Reason.ABANDONED;
  }

  private List<Outcome> receive(List<MessageExt> messages, MessageQueue queue)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    Submission submission = receiver.submit(incoming(messages, queue), outcomes::set);
    gate.add(submission);
    try {
      submission.awaitOrAbandon(patience);
    } finally {
      gate.remove(submission);
    }
    List<Outcome> list = new ArrayList<>();
    for (int i = 0; i < outcomes.length(); i++) {
      list.add(outcomes.get(i));
    }
    return list;
  }

  private List<Incoming<MessageExt>> incoming(List<MessageExt> messages, MessageQueue queue) {
    boolean isNew = probation.isNew(queue, System.nanoTime());
    String call = Coordinates.of(messages.get(0), queue);
    int lanes = Math.min(mostLanes, messages.size());
    List<Incoming<MessageExt>> incoming = new ArrayList<>(messages.size());
    for (MessageExt message : messages) {
      incoming.add(new Incoming<>(
          MessageCopies.of(message),
          lanes == 1 ? call : call + "/" + incoming.size() % lanes,
          inOrder,
          Coordinates.of(message, queue),
          isNew,
          Incoming.sentAt(message.getBornTimestamp())));
    }
    return incoming;
  }

  int level(Duration wait) {
    return check.levels().atLeast(wait);
  }

  void requireSafeGroup() throws MQClientException, InterruptedException {
    check.requireAllowed();
    check.refusal().ifPresent(refusal -> {
      throw new IllegalArgumentException(refusal);
    });
    check.requireGroup();
  }

  private void updateProblems(Optional<String> changed) {
    problems.replaceAll(Stream.of(
            changed.map(text ->
                new Problems.Found(Problem.Kind.CONFIGURATION, consumer.getConsumerGroup(), text)),
            deadLetters.flatMap(RocketMqDeadLetterPublisher::problem))
        .flatMap(Optional::stream)
        .toList());
  }

  List<Problem> problems() {
    check.queryIfDue();
    updateProblems(changed());
    List<Problem> ofConsumer = Problems.join(check.problems(), problems.list());
    return Problems.join(ofConsumer, receiver.problems());
  }

  /** Does not wait for handlers again if the client has waited for them. */
  void end() {
    long end = System.nanoTime() + PushConsumerSettings.FOR_HANDLERS.toNanos();
    drain(PushConsumerSettings.FOR_HANDLERS);
    if (consumerName.isPresent()) {
      long left = clientGaveUp ? 0 : Math.max(0, end - System.nanoTime());
      receiver.close(Duration.ofNanos(left));
    }
  }

  boolean drain(Duration atMost) {
    return gate.drain(atMost);
  }
}
