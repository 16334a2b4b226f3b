package io.hapax.rocketmq.grpc;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.exception.BadRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives messages on one thread, as long as there is room for more. */
final class Reception {

  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final SimpleConsumer consumer;
  private final InFlightDeliveries inFlight;
  private final int batch;
  private final Duration invisible;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Duration pause = FIRST_PAUSE;
  private final String name;
  private final Problems problems;

  Reception(
      SimpleConsumer consumer,
      InFlightDeliveries inFlight,
      int batch,
      Duration invisible,
      String name,
      Problems problems) {
    this.consumer = consumer;
    this.inFlight = inFlight;
    this.batch = batch;
    this.invisible = invisible;
    this.name = name;
    this.problems = problems;
  }

  /** Receives until it is stopped or the receiver is closed. Any other end is a problem. */
  void run() {
    try {
      while (!isStopped()) {
        int places = inFlight.takeRoom(batch, PATIENCE);
        if (places > 0) {
          receive(places);
        }
      }
      problems.clear(Problem.Kind.BROKER, name);
    } catch (RuntimeException e) { // a closed receiver, or an unexpected exception
      problems.raise(Problem.Kind.RECEIVER_DOWN, name, "nothing is received any more: " + e);
      LOG.error("Nothing is received any more for group {}", consumer.getConsumerGroup(), e);
    } catch (InterruptedException e) {
      problems.raise(Problem.Kind.RECEIVER_DOWN, name, "nothing is received any more: interrupted");
      Thread.currentThread().interrupt();
    }
  }

  private void receive(int places) throws InterruptedException {
    List<MessageView> messages = List.of();
    try {
      messages = consumer.receive(places, invisible);
      problems.clear(Problem.Kind.BROKER, name);
      pause = FIRST_PAUSE;
    } catch (ClientException | RuntimeException e) {
      failed(e);
    } finally {
      inFlight.giveRoom(places - messages.size());
    }
    inFlight.take(messages);
  }

  private void failed(Exception e) throws InterruptedException {
    if (isStopped()) {
      return;
    }
    String hint = e instanceof BadRequestException
        ? " (is the consumer's awaitDuration, or the invisibleDuration, shorter than the proxy allows?)"
        : "";
    if (problems.raise(Problem.Kind.BROKER, name, "receiving fails: " + e + hint)) {
      LOG.warn("Group {} receives nothing: {}", consumer.getConsumerGroup(), e.toString());
    }
    if (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Ends after the reception under way, for which the proxy has up to the await duration. */
  void stop() {
    stopped.countDown();
  }
}
