package io.hapax.rocketmq.grpc;

import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives from RocketMQ with a simple consumer of its gRPC client, lets each message take effect
 * once through an {@link IdempotentReceiver}, and acknowledges only what is settled. Experimental.
 *
 * <pre>{@code
 * SimpleConsumer consumer = provider.newSimpleConsumerBuilder()
 *     .setClientConfiguration(configuration)
 *     .setConsumerGroup("order-service")
 *     .setAwaitDuration(Duration.ofSeconds(5))
 *     .setSubscriptionExpressions(Map.of("orders", FilterExpression.SUB_ALL))
 *     .build();
 * try (RocketMqGrpcReceiver orders = RocketMqGrpcReceiver.start(receiver, consumer)) {
 *   ... orders.problems() tells a health check why nothing moves ...
 * }
 * }</pre>
 *
 * <p>It owns the consumer and the threads that receive; handlers run on the receiver's workers.
 * What is received at once, 32 messages at most, is claimed at once. Acknowledgements go out as
 * messages are settled, many at a time. What is still under way is renewed at a third of its
 * invisible duration, for as long as it takes. A message that cannot run now, because another
 * handles it or its backoff is not over, is given back for that time. While the store is down
 * nothing is acknowledged or given back; what is in hand waits, and is renewed. Messages of a
 * message group run one after the other, and one that has to be tried again holds back those behind
 * it; the group has to be a FIFO group ({@code consumeMessageOrderly}).
 *
 * <p>Each message that is given back, and each that a dead consumer had, costs a delivery of those
 * that the broker allows ({@code retryMaxTimes} of the group, 16 by default); renewals cost none.
 * After the last the proxy moves the message to the group's own dead-letter topic, and its mark is
 * left as it is. How often a message is <em>tried</em> is the receiver's to say. Give the group a
 * {@code retryMaxTimes} of 1000 ({@code mqadmin updateSubGroup -r 1000}) and tell it to the
 * builder. When the last deliveries are near, the log warns and {@link #problems()} names the
 * message.
 *
 * <p>An acknowledgement that fails is not repeated: the message comes again, is known and is not
 * run. A process that dies leaves messages which the proxy hands out again, once they are no longer
 * hidden. What it had settled is acknowledged then; what it had claimed is busy until its lease is
 * over, and is then taken over. A renewal that comes too late, because the process stood still, has
 * the same effect as a death: the mark decides, and a late owner settles nothing.
 *
 * <p>A message whose body is corrupted, which the client hands out like any other, never runs; it
 * is given back until the broker gives it up.
 *
 * <p>The client asks for one topic at a time, in turn, and waits for it up to the consumer's
 * {@code awaitDuration}: give each topic a consumer of its own where that matters. A proxy refuses
 * an {@code awaitDuration} below 5 s (unless it was told otherwise), and {@link #problems()} then
 * says so; a long one makes {@link #close()} slow. All methods are thread-safe.
 */
public final class RocketMqGrpcReceiver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqGrpcReceiver.class);

  /** The most that a proxy hands out at once. */
  private static final int BATCH = 32;

  private final SimpleConsumer consumer;
  private final InFlightDeliveries inFlight;
  private final IdempotentReceiver<MessageView> receiver;
  private final BrokerAttempts attempts;
  private final Problems problems;
  private final Duration drainTimeout;
  private final List<Reception> receptions = new ArrayList<>();
  private final CountDownLatch ended;
  private final String threads;
  private final ScheduledExecutorService keeper;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RocketMqGrpcReceiver(Builder builder, Visibility visibility) {
    this.consumer = builder.consumer;
    this.receiver = builder.receiver;
    this.drainTimeout = builder.drainTimeout;
    this.problems = new Problems(receiver.clock());
    this.attempts = BrokerAttempts.of(builder.retryMaxTimes, problems);
    this.inFlight =
        new InFlightDeliveries(receiver, consumer, visibility, attempts, builder.window);
    this.ended = new CountDownLatch(builder.receptions);
    this.threads = "hapax-grpc-" + consumer.getConsumerGroup();
    this.keeper =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, threads + "-renewals"));
    int batch = Math.min(BATCH, builder.window / builder.receptions);
    for (int i = 0; i < builder.receptions; i++) {
      receptions.add(new Reception(
          consumer, inFlight, batch, visibility.invisible(), "reception " + (i + 1), problems));
    }
    long looks = visibility.lookedAfter().toNanos();
    var unused = keeper.scheduleWithFixedDelay(this::renew, looks, looks, TimeUnit.NANOSECONDS);
    receptions.forEach(reception -> daemon(() -> receive(reception), threads).start());
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void receive(Reception reception) {
    try {
      reception.run();
    } finally {
      ended.countDown();
    }
  }

  private void renew() {
    try {
      inFlight.renew();
    } catch (RuntimeException e) {
      LOG.error("Nothing is renewed this time", e); // else it would never be again
    }
  }

  /**
   * Starts to receive, with the settings that fit most.
   *
   * @param receiver the receiver; stays open
   * @param consumer the consumer, with its subscriptions; closed with this
   * @return a running receiver
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public static RocketMqGrpcReceiver start(
      IdempotentReceiver<MessageView> receiver, SimpleConsumer consumer) {
    return builder(receiver, consumer).start();
  }

  /**
   * Starts a builder.
   *
   * @param receiver the receiver; stays open
   * @param consumer the consumer, with its subscriptions; closed with what is started
   * @return a builder
   */
  public static Builder builder(IdempotentReceiver<MessageView> receiver, SimpleConsumer consumer) {
    return new Builder(receiver, consumer);
  }

  /**
   * Returns why messages do not move, or are about to be moved to the group's dead letters:
   * receptions that fail or have ended, messages whose last deliveries are near, and what the
   * {@link IdempotentReceiver} says.
   *
   * @return empty while all is well; by kind
   */
  public List<Problem> problems() {
    attempts.forgetOld();
    return Problems.join(problems.list(), receiver.problems());
  }

  /**
   * Receives no more, gives up what has not started, waits for running handlers and their
   * acknowledgements up to the drain time-out, and closes the consumer. What has not started, and
   * what the proxy hands out meanwhile, is given back. A handler that outlives the time-out
   * finishes all the same; its message comes again when its invisible duration is over, and is then
   * known. For a proxy that answers nothing, while its connection stays, the consumer itself would
   * wait for ever; it is given ten seconds, and the log warns that its threads live on.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long end = System.nanoTime() + drainTimeout.toNanos();
    receptions.forEach(Reception::stop);
    inFlight.end();
    try {
      boolean drained = ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)
          && inFlight.awaitEmpty(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      if (!drained) {
        LOG.warn(
            "Group {} is not drained after {}: what it has yet comes again, and what is done by"
                + " then is known",
            consumer.getConsumerGroup(),
            drainTimeout);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    keeper.shutdownNow();
    ConsumerCloser.of(consumer, threads + "-closing");
  }

  /** Starts a {@link RocketMqGrpcReceiver}. */
  public static final class Builder {

    private static final int WINDOW = 256;

    private final IdempotentReceiver<MessageView> receiver;
    private final SimpleConsumer consumer;
    private Optional<Duration> invisible = Optional.empty();
    private Duration shortest = Visibility.SHORTEST;
    private Duration drainTimeout = Duration.ofSeconds(20);
    private int window = WINDOW;
    private int receptions;
    private int retryMaxTimes;

    private Builder(IdempotentReceiver<MessageView> receiver, SimpleConsumer consumer) {
      this.receiver = receiver;
      this.consumer = consumer;
      this.receptions = Math.max(1, consumer.getSubscriptionExpressions().size());
      this.retryMaxTimes = Math.max(BrokerAttempts.DEFAULT, receiver.retry().maxAttempts());
    }

    /**
     * For how long the proxy hides a message from others, each time; also how long the message of a
     * dead consumer waits. Default: the receiver's lease, or {@code shortestInvisible} if that is
     * longer.
     *
     * @param duration from {@code shortestInvisible} to 12 h, not less than the receiver's lease
     * @return this
     */
    public Builder invisibleDuration(Duration duration) {
      this.invisible = Optional.of(duration);
      return this;
    }

    /**
     * The shortest time for which the proxy hides a message, {@code minInvisibleTimeMillsForRecv}:
     * a message that has to wait less is given back for so long. Default 10 s, which is RocketMQ's
     * own.
     *
     * @param duration positive
     * @return this
     */
    public Builder shortestInvisible(Duration duration) {
      this.shortest = duration;
      return this;
    }

    /**
     * How many messages are in hand at most, received and not yet settled and acknowledged. Default
     * 256.
     *
     * @param messages not less than the number of receptions
     * @return this
     */
    public Builder window(int messages) {
      this.window = messages;
      return this;
    }

    /**
     * How many receptions wait for messages at the same time. Default: as many as the consumer has
     * topics.
     *
     * @param count at least 1
     * @return this
     */
    public Builder receptions(int count) {
      this.receptions = count;
      return this;
    }

    /**
     * What the group's {@code retryMaxTimes} is, which a client cannot ask for. Default 16, which
     * is RocketMQ's own.
     *
     * @param times not less than the receiver's {@code maxAttempts}
     * @return this
     */
    public Builder retryMaxTimes(int times) {
      this.retryMaxTimes = BrokerAttempts.atLeast(receiver.retry().maxAttempts(), times);
      return this;
    }

    /**
     * How long {@link RocketMqGrpcReceiver#close()} waits for running handlers. Default 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder drainTimeout(Duration timeout) {
      if (timeout.isNegative()) {
        throw new IllegalArgumentException(
            "drainTimeout is " + timeout + " but must not be negative");
      }
      this.drainTimeout = Limits.countable(timeout);
      return this;
    }

    /**
     * Starts to receive.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule; the consumer stays open
     */
    public RocketMqGrpcReceiver start() {
      if (receptions < 1) {
        throw new IllegalArgumentException(
            "receptions is " + receptions + " but must be at least 1");
      }
      if (window < receptions) {
        throw new IllegalArgumentException("window is " + window
            + " but must not be less than receptions, which is " + receptions);
      }
      if (consumer.getSubscriptionExpressions().isEmpty()) {
        throw new IllegalArgumentException("the consumer of group " + consumer.getConsumerGroup()
            + " has no subscription but must have one at least");
      }
      Visibility visibility = invisible
          .map(duration -> new Visibility(duration, shortest))
          .orElseGet(() -> Visibility.of(receiver.lease(), shortest))
          .notBelow(receiver.lease());
      return new RocketMqGrpcReceiver(this, visibility);
    }
  }
}
