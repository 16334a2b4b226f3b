package io.hapax.rocketmq.grpc;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the deliveries in flight, from their reception until the proxy has answered the last
 * request about each: an acknowledgement, or the time of its redelivery. No method blocks. Answers
 * of the proxy arrive on the client's threads, outcomes on the receiver's threads.
 */
final class InFlightDeliveries {

  private static final Logger LOG = LoggerFactory.getLogger(InFlightDeliveries.class);

  private final IdempotentReceiver<MessageView> receiver;
  private final SimpleConsumer consumer;
  private final Visibility visibility;
  private final BrokerAttempts attempts;
  private final int window;
  private final Semaphore room;
  private final OpenSubmissions underWay = new OpenSubmissions();
  private final Set<HeldMessage> held = ConcurrentHashMap.newKeySet();
  private final MessageGroups groups = new MessageGroups();

  InFlightDeliveries(
      IdempotentReceiver<MessageView> receiver,
      SimpleConsumer consumer,
      Visibility visibility,
      BrokerAttempts attempts,
      int window) {
    this.receiver = receiver;
    this.consumer = consumer;
    this.visibility = visibility;
    this.attempts = attempts;
    this.window = window;
    this.room = new Semaphore(window);
  }

  /** Takes room for at least one message and at most a limit; 0 if there is none in time. */
  int takeRoom(int atMost, Duration patience) throws InterruptedException {
    if (!room.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      return 0;
    }
    int taken = 1;
    while (taken < atMost && room.tryAcquire()) {
      taken++;
    }
    return taken;
  }

  void giveRoom(int places) {
    room.release(places);
  }

  /** Takes received messages, for which room was taken before. */
  void take(List<MessageView> messages) {
    long now = System.nanoTime();
    List<HeldMessage> startable = new ArrayList<>();
    for (MessageView message : messages) {
      attempts.delivered(message);
      HeldMessage one = new HeldMessage(message, MessageGroups.lane(message), now);
      held.add(one);
      if (underWay.isEnding()) {
        giveBack(one, Duration.ZERO);
      } else if (ClientMessages.isCorrupted(message)) {
        LOG.error(
            "Message {} is corrupted and is given back, until the broker dead-letters it",
            ClientMessages.coordinates(message));
        giveBack(one, Duration.ZERO);
      } else {
        startable.add(one);
      }
    }
    submit(groups.admit(startable, one -> giveBack(one, Duration.ZERO)));
  }

  private void submit(List<HeldMessage> batch) {
    if (batch.isEmpty()) {
      return;
    }
    List<Incoming<MessageView>> messages = batch.stream()
        .map(it -> ClientMessages.incoming(it.message(), it.lane()))
        .toList();
    AtomicInteger missing = new AtomicInteger(batch.size() + 1);
    CompletableFuture<Submission> whole = new CompletableFuture<>();
    try {
      Submission submission = receiver.submit(messages, (index, outcome) -> {
        settled(batch.get(index), outcome);
        forgetAfterLast(missing, whole);
      });
      underWay.add(submission);
      whole.complete(submission);
      forgetAfterLast(missing, whole);
    } catch (ReceiverClosedException closed) {
      batch.forEach(one ->
          settled(one, new Deferred(Outcome.Reason.ABANDONED, Duration.ZERO, closed.toString())));
      throw closed;
    }
  }

  private void forgetAfterLast(AtomicInteger missing, CompletableFuture<Submission> whole) {
    if (missing.decrementAndGet() == 0) {
      underWay.remove(whole.join());
    }
  }

  private void settled(HeldMessage one, Outcome outcome) {
    groups.settled(one);
    if (outcome instanceof Deferred deferred) {
      giveBack(one, deferred.after());
      return;
    }
    attempts.acknowledged(one.message());
    leave(one, "acknowledged", () -> consumer.ackAsync(one.message()));
  }

  private void giveBack(HeldMessage one, Duration wait) {
    Duration hidden = visibility.hidden(wait);
    leave(one, "given back", () -> consumer.changeInvisibleDurationAsync(one.message(), hidden));
  }

  /** A lost request does no harm: the message is redelivered, and its mark is DONE. */
  private void leave(HeldMessage one, String what, Supplier<CompletableFuture<Void>> word) {
    var unused = one.leave(word).whenComplete((done, error) -> {
      held.remove(one);
      room.release();
      if (error != null) {
        report(one, what, error);
      }
    });
  }

  private static void report(HeldMessage one, String what, Throwable error) {
    String name = ClientMessages.coordinates(one.message());
    if (HeldMessage.isRefusal(error)) {
      LOG.debug("Message {} could not be {} any more and is redelivered", name, what, error);
    } else {
      LOG.warn("Message {} could not be {} and is redelivered: {}", name, what, error.toString());
    }
  }

  /** Renews the invisible duration of the deliveries that are due. */
  void renew() {
    long now = System.nanoTime();
    for (HeldMessage one : held) {
      var unused = one.renew(
              now,
              visibility.renewedAfter().toNanos(),
              () -> consumer.changeInvisibleDurationAsync(one.message(), visibility.invisible()))
          .exceptionally(error -> {
            LOG.warn(
                "Message {} could not be renewed{}: {}",
                ClientMessages.coordinates(one.message()),
                one.isLost()
                    ? " any more, and may be redelivered to another consumer, where it is busy"
                    : "",
                error.toString());
            return null;
          });
    }
  }

  /** Abandons messages that have not started; those received from now on are given back. */
  void end() {
    underWay.end();
  }

  /** Waits until no delivery is in flight; false if the time has passed before. */
  boolean awaitEmpty(Duration atMost) throws InterruptedException {
    if (!room.tryAcquire(window, atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    room.release(window);
    return true;
  }
}
