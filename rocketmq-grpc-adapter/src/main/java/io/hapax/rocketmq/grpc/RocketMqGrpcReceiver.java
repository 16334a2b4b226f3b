package io.hapax.rocketmq.grpc;

import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.setting.Durations;
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
 * once through an {@link IdempotentReceiver}, and acknowledges only settled messages. Experimental.
 *
 * <pre>{@code
 * SimpleConsumer consumer = provider.newSimpleConsumerBuilder()
 *     .setClientConfiguration(configuration)
 *     .setConsumerGroup("order-service")
 *     .setAwaitDuration(Duration.ofSeconds(5))
 *     .setSubscriptionExpressions(Map.of("orders", FilterExpression.SUB_ALL))
 *     .build();
 * try (RocketMqGrpcReceiver orders = RocketMqGrpcReceiver.start(receiver, consumer)) {
 *   ... orders.problems() names what keeps messages from moving ...
 * }
 * }</pre>
 *
 * <p>The gRPC receiver owns the consumer and the threads that receive. Handlers run on the workers
 * of the {@link IdempotentReceiver}. Messages that are received together, 32 at most, are claimed
 * together. Acknowledgements are sent as messages are settled, many at a time. Messages in flight
 * are renewed at a third of their invisible duration, until they are settled. A message cannot run
 * while another consumer handles it or until its backoff has expired. It is given back to the proxy
 * for that time. While the store is down, nothing is acknowledged or given back; messages in flight
 * wait and are renewed. Messages of a message group run one after the other. A message that is
 * retried holds back the later messages of its group. The group has to be a FIFO group
 * ({@code consumeMessageOrderly}).
 *
 * <p>The broker limits the deliveries of a message ({@code retryMaxTimes} of the group, 16 by
 * default). Each message that is given back, or that a dead consumer held, costs one delivery;
 * renewals cost none. After the last delivery the proxy moves the message to the group's own
 * dead-letter topic, and its mark remains as it is. The {@link IdempotentReceiver}, not RocketMQ,
 * controls how often a message is <em>tried</em>. Give the group a {@code retryMaxTimes} of 1000
 * ({@code mqadmin updateSubGroup -r 1000}) and configure the builder with the same value. When few
 * deliveries remain, the log warns and {@link #problems()} names the message.
 *
 * <p>A failed acknowledgement is not repeated: the message is redelivered, is known and does not
 * run. If a process dies, the proxy redelivers its messages once their invisible duration has
 * expired. Messages that the process had settled are then acknowledged. Messages that it had
 * claimed are busy until their lease has expired, and are then taken over. A renewal that is late
 * because the process was suspended has the same effect as a death: the mark decides, and a late
 * owner settles nothing.
 *
 * <p>The client delivers a message with a corrupted body like any other. Such a message never runs;
 * it is given back until the broker gives it up.
 *
 * <p>The client asks for one topic at a time, in turn, and waits for each up to the consumer's
 * {@code awaitDuration}. Give each topic a consumer of its own if that matters. A proxy refuses an
 * {@code awaitDuration} below 5 s, unless it is configured otherwise; {@link #problems()} then
 * reports it. A long {@code awaitDuration} makes {@link #close()} slow. All methods are
 * thread-safe.
 */
public final class RocketMqGrpcReceiver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqGrpcReceiver.class);

  /** The limit of messages that a proxy returns in one reception. */
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
    long interval = visibility.checkInterval().toNanos();
    var unused =
        keeper.scheduleWithFixedDelay(this::renew, interval, interval, TimeUnit.NANOSECONDS);
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
      LOG.error("The renewal of deliveries failed", e); // an exception would end the timer
    }
  }

  /**
   * Starts to receive with the default settings, which suit most consumers.
   *
   * @param receiver the idempotent receiver; stays open
   * @param consumer the consumer, with its subscriptions; closed together with the gRPC receiver
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
   * @param receiver the idempotent receiver; stays open
   * @param consumer the consumer, with its subscriptions; closed together with the gRPC receiver
   * @return a builder
   */
  public static Builder builder(IdempotentReceiver<MessageView> receiver, SimpleConsumer consumer) {
    return new Builder(receiver, consumer);
  }

  /**
   * Returns why messages do not move, or are about to be moved to the group's dead-letter topic.
   * Reports receptions that fail or have ended, messages with few remaining deliveries, and the
   * problems of the {@link IdempotentReceiver}.
   *
   * @return the problems by kind; empty while there is none
   */
  public List<Problem> problems() {
    attempts.forgetOld();
    return Problems.join(problems.list(), receiver.problems());
  }

  /**
   * Stops receiving and gives up messages that have not started. Waits for running handlers and
   * their acknowledgements up to the drain timeout, and closes the consumer. Messages that have not
   * started, and messages that the proxy still delivers, are given back.
   *
   * <p>A handler that outlives the timeout still finishes. Its message is redelivered when its
   * invisible duration has expired, and is then known. If a proxy keeps its connection but does not
   * answer, the consumer itself would wait for ever. It gets ten seconds to close, and the log then
   * warns that its threads continue to run.
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
            "Group {} is not drained after {}: its unfinished messages are redelivered, as"
                + " duplicates if their handlers finish",
            consumer.getConsumerGroup(),
            drainTimeout);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    keeper.shutdownNow();
    ConsumerCloser.of(consumer, threads + "-closing");
  }

  /** Configures and starts a {@link RocketMqGrpcReceiver}. */
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
     * Sets how long the proxy hides a message from other consumers, each time. The message of a
     * dead consumer waits as long. Default: the receiver's lease, or {@code shortestInvisible} if
     * that is longer.
     *
     * @param duration from {@code shortestInvisible} to 12 h, not less than the receiver's lease
     * @return this
     */
    public Builder invisibleDuration(Duration duration) {
      this.invisible = Optional.of(duration);
      return this;
    }

    /**
     * Sets the shortest time for which the proxy hides a message,
     * {@code minInvisibleTimeMillsForRecv}. A message that has to wait less is given back for this
     * time. The default is 10 s, as in RocketMQ.
     *
     * @param duration positive
     * @return this
     */
    public Builder shortestInvisible(Duration duration) {
      this.shortest = duration;
      return this;
    }

    /**
     * Sets the limit of messages in flight: received, but not yet settled and acknowledged. The
     * default is 256.
     *
     * @param messages not less than the number of receptions
     * @return this
     */
    public Builder window(int messages) {
      this.window = messages;
      return this;
    }

    /**
     * Sets how many receptions wait for messages at the same time. The default is the number of the
     * consumer's topics.
     *
     * @param count at least 1
     * @return this
     */
    public Builder receptions(int count) {
      this.receptions = count;
      return this;
    }

    /**
     * Sets the group's {@code retryMaxTimes}, because a client cannot ask for it. The default is
     * 16, as in RocketMQ.
     *
     * @param times not less than the receiver's {@code maxAttempts}
     * @return this
     */
    public Builder retryMaxTimes(int times) {
      this.retryMaxTimes = BrokerAttempts.atLeast(receiver.retry().maxAttempts(), times);
      return this;
    }

    /**
     * Sets how long {@link RocketMqGrpcReceiver#close()} waits for running handlers. The default is
     * 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder drainTimeout(Duration timeout) {
      this.drainTimeout = Durations.limit("drainTimeout", timeout);
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
