package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;

/** The only thread that touches a share consumer: submits, renews and accepts its records. */
final class ShareLoop<K, V> extends KafkaLoop {

  private static final AtomicLong LANES = new AtomicLong();

  /**
   * How long a poll waits for records. Each poll makes the client fetch. If one begins just as the
   * records of the last fetch arrive, the client fetches more in advance, and their locks may
   * expire unseen. So there are few polls.
   */
  private static final Duration FETCH = Duration.ofMillis(500);

  private static final Duration SILENCE = Duration.ofMinutes(5);

  /** How long a consumer that gives back records waits until the others of its receiver stop. */
  private static final Duration OTHERS = Duration.ofSeconds(2);

  private final List<String> topics;
  private final ShareMember<K, V> member;
  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;

  /** Counts the loops of the receiver that may still fetch records. */
  private final CountDownLatch fetching;

  /** Has a permit for each outcome that was not looked for. */
  private final Semaphore outcomes = new Semaphore(0);

  ShareLoop(
      List<String> topics,
      ShareMember<K, V> member,
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Duration drainTimeout,
      CountDownLatch fetching) {
    super(topics, drainTimeout, receiver);
    this.topics = topics;
    this.member = member;
    this.receiver = receiver;
    this.fetching = fetching;
  }

  @Override
  protected void begin() {
    member.subscribe(topics);
  }

  @Override
  protected void round() {
    var unused = polled(() -> {
      serveHeld();
      if (member.isEmpty()) {
        member.poll(FETCH);
      }
      return member;
    });
    long now = System.nanoTime();
    submit(member.due(now), now);
    found(member.problems(now, SILENCE));
    if (!member.isEmpty()) {
      awaitOutcome();
    }
  }

  private void serveHeld() {
    long now = System.nanoTime();
    member.acceptSettled(now);
    member.renewIfDue(now);
  }

  private void submit(List<HeldRecord<K, V>> due, long now) {
    if (due.isEmpty()) {
      return;
    }
    String shared = nextLane();
    List<Incoming<ConsumerRecord<K, V>>> messages = due.stream()
        .map(it -> incoming(it, receiver.port().settings().handlesBatches() ? shared : nextLane()))
        .toList();
    Submission submission = receiver.submit(messages, (index, outcome) -> {
      due.get(index).settled(outcome);
      outcomes.release();
    });
    due.forEach(it -> it.submitted(submission, now));
  }

  /** A lane is never used twice, also not by another consumer that gets the same record later. */
  private static String nextLane() {
    return "#" + LANES.incrementAndGet();
  }

  /** A share group has no order. A record that was delivered before may have ended its process. */
  private Incoming<ConsumerRecord<K, V>> incoming(HeldRecord<K, V> held, String lane) {
    return new Incoming<>(
        held.handout(),
        lane,
        false,
        held.coordinates(),
        held.isRedelivered(),
        Incoming.sentAt(held.raw().timestamp()),
        held.isLastDelivery());
  }

  private void awaitOutcome() {
    try {
      if (outcomes.tryAcquire(BUSY.toMillis(), TimeUnit.MILLISECONDS)) {
        int unused = outcomes.drainPermits();
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Gives up what has not started, waits for running handlers and accepts what is settled. */
  @Override
  protected void giveBack() {
    member.abandon();
    awaitOthers();
    while (member.isBusy() && !untilDrained().isZero()) {
      awaitOutcome();
      serveHeld();
    }
    serveHeld();
  }

  @Override
  protected void close() {
    member.close(untilLeft());
  }

  /** They would get the records that this one gives back, and each delivery counts. */
  private void awaitOthers() {
    if (member.isEmpty()) {
      close();
    }
    fetching.countDown();
    try {
      boolean unused = isStopped() && fetching.await(OTHERS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
