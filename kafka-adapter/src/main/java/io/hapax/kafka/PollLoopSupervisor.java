package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs poll loops, one after the other, each with a consumer of its own. Some errors of a consumer
 * end elsewhere: missing rights, wrong credentials, or a group that is being upgraded. After such
 * an error and a pause, the consumer is replaced, because neither Kafka protocol promises that it
 * recovers. Any other error ends the supervisor.
 */
final class PollLoopSupervisor implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(PollLoopSupervisor.class);

  private final Supplier<? extends PollingLoop> loops;
  private final Duration pause;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile PollingLoop loop;
  private volatile KafkaReceiver.State state = KafkaReceiver.State.RUNNING;
  private volatile @Nullable Throwable failure;
  private final Problems problems;

  /**
   * Creates a supervisor and its first poll loop.
   *
   * @param loops makes a loop with a consumer of its own; called once here
   * @param pause the time until a dead consumer is replaced
   * @param problems keeps the problems of the supervisor itself
   */
  PollLoopSupervisor(Supplier<? extends PollingLoop> loops, Duration pause, Problems problems) {
    this.loops = loops;
    this.pause = pause;
    this.problems = problems;
    this.loop = loops.get();
  }

  @Override
  public void run() {
    KafkaReceiver.State end = KafkaReceiver.State.DOWN;
    try {
      while (!lived()) {
        loop = loops.get();
        problems.clear(Problem.Kind.BROKER, "");
      }
      end = KafkaReceiver.State.CLOSED;
    } catch (Throwable e) {
      failure = e;
      LOG.error("Reading has ended; others take over the partitions", e);
    } finally {
      state = end;
      raiseIfDead();
    }
  }

  /** Runs one poll loop; returns false if another should follow. */
  private boolean lived() throws InterruptedException {
    try {
      if (closing.getCount() == 0) {
        loop.stop();
      }
      loop.run();
      return true;
    } catch (AuthorizationException
        | AuthenticationException
        | GroupMaxSizeReachedException
        | InconsistentGroupProtocolException
        | UnreleasedInstanceIdException e) {
      LOG.warn("The consumer died and is replaced in {}", pause, e);
      problems.raise(
          Problem.Kind.BROKER, "", "the consumer died and is replaced every " + pause + ": " + e);
      return closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Ends reading after the present round. May be called by any thread, more than once. */
  void stop() {
    closing.countDown();
    loop.stop();
  }

  KafkaReceiver.State state() {
    return state;
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Asked for again by health, because memory may have been used up when the loop died. */
  private void raiseIfDead() {
    failure()
        .ifPresent(e -> problems.raise(Problem.Kind.RECEIVER_DOWN, "", "the poll loop died: " + e));
  }

  List<Problem> problems() {
    raiseIfDead();
    return Problems.join(loop.problems(), problems.list());
  }

  List<PartitionStatus> partitions() {
    return loop.partitions();
  }
}
