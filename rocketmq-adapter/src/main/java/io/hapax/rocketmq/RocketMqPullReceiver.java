package io.hapax.rocketmq;

import static org.apache.rocketmq.common.consumer.ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.PollThread;
import io.hapax.adapter.PollingLoop;
import io.hapax.adapter.ReceiverPort;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.rocketmq.internal.Starting;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls from RocketMQ in large batches, lets each message take effect once through an
 * {@link IdempotentReceiver}, and commits only settled messages. It serves throughput, and replays
 * of a topic.
 *
 * <p>It owns the consumer and one thread that polls it; handlers run on the receiver's workers. A
 * queue keeps its order. A message that has to be retried blocks those behind it in its queue, and
 * no others. Nothing is sent back to the broker. All messages that are ready, of all queues, are
 * claimed together, up to one window.
 *
 * <p>The committed offset is never above the lowest offset whose message is not settled. It is
 * reported to the broker twice a second. After a crash the broker therefore redelivers the messages
 * that were completed since. The store knows them, and they do not run again. A queue that is
 * assigned to another member is given up at once. Running handlers finish, and the other member
 * finds their messages busy and then done.
 *
 * <p>The receiver does not see two kinds of messages:
 *
 * <ul>
 *   <li>Messages in the group's retry topic, which remain if the group used a push consumer before.
 *       A pull consumer does not read them. {@link #problems()} names those that are there at
 *       start, but not those that the broker still holds back for a later time.
 *   <li>Messages that the client cannot decode. The client skips such a message and those behind it
 *       in the same pull, pushed or pulled. It reports this to no one, and the messages are not
 *       redelivered by themselves.
 * </ul>
 *
 * <pre>{@code
 * DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("order-service");
 * consumer.setNamesrvAddr("127.0.0.1:9876");
 * consumer.setAutoCommit(false);
 * consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
 * try (RocketMqPullReceiver orders =
 *     RocketMqPullReceiver.builder(receiver, consumer).subscribe("orders", "*").start()) {
 *   ... orders.problems() shows a health check why nothing moves ...
 * }
 * }</pre>
 *
 * <p>All methods are thread-safe.
 */
public final class RocketMqPullReceiver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqPullReceiver.class);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration SILENCE = Duration.ofMinutes(5);
  private static final int WINDOW = 500;

  private final IdempotentReceiver<MessageExt> receiver;
  private final PollThread thread;
  private final Duration patience;
  private final GroupCheck check;

  private RocketMqPullReceiver(Builder builder, PollThread thread, GroupCheck check) {
    this.receiver = builder.receiver;
    this.thread = thread;
    this.patience = builder.drainTimeout.plus(PollingLoop.LEAVING);
    this.check = check;
  }

  /**
   * Starts a builder.
   *
   * @param receiver the receiver; stays open
   * @param consumer the consumer, with its group, credentials, TLS, namespace and instance name;
   *     not started, and subscribed to nothing. {@code autoCommit} must be set to false, and
   *     {@code consumeFromWhere} to something else than its default. From here on it belongs to
   *     this object
   * @return a builder
   */
  public static Builder builder(
      IdempotentReceiver<MessageExt> receiver, DefaultLitePullConsumer consumer) {
    return new Builder(receiver, consumer);
  }

  /**
   * Returns the problems that keep messages from moving:
   *
   * <ul>
   *   <li>messages that waited in the group's retry topic at start
   *   <li>brokers that do not know the group
   *   <li>queues that wait, with the offset and the reason
   *   <li>the problems of the {@link IdempotentReceiver}
   *   <li>the error that has ended reading
   * </ul>
   *
   * @return empty while all is well; by kind
   */
  public List<Problem> problems() {
    if (thread.isReading()) { // a client that is being shut down lets its callers wait
      check.queryIfDue();
    }
    List<Problem> own = Problems.join(check.problems(), thread.problems());
    return Problems.join(own, receiver.problems());
  }

  /**
   * Stops polling, gives up what has not started, waits for running handlers within the drain
   * time-out, writes the offsets of what is settled, and leaves the group. A handler that outlives
   * the time-out finishes all the same, and its mark is DONE. All of that ends within the drain
   * time-out and ten seconds. May be called more than once.
   */
  @Override
  public void close() {
    thread.stop();
    thread.awaitEnd(patience);
  }

  /** Starts a {@link RocketMqPullReceiver}. */
  public static final class Builder {

    private final IdempotentReceiver<MessageExt> receiver;
    private final DefaultLitePullConsumer consumer;
    private final ClientInternals internals;

    private record Subscription(String topic, String expression) {}

    private final List<Subscription> subscriptions = new ArrayList<>();
    private Optional<String> whole = Optional.empty();
    private Optional<Instant> from = Optional.empty();
    private Duration drainTimeout = DRAIN_TIMEOUT;
    private int window = WINDOW;
    private Optional<RocketMqDeadLetterPublisher> deadLetters = Optional.empty();

    private Builder(IdempotentReceiver<MessageExt> receiver, DefaultLitePullConsumer consumer) {
      this.receiver = receiver;
      this.consumer = consumer;
      this.internals = new ClientInternals(consumer);
    }

    /**
     * Shares the queues of a topic with the other members of the group. May be called more than
     * once.
     *
     * @param topic the topic
     * @param expression which tags, for example {@code *}
     * @return this
     */
    public Builder subscribe(String topic, String expression) {
      subscriptions.add(new Subscription(topic, expression));
      return this;
    }

    /**
     * Takes all queues that a topic has now, even if other consumers read them. Offsets are still
     * stored for the group. A group of its own does not disturb others, and under the receiver's
     * consumer name its messages are known.
     *
     * @param topic the topic
     * @return this
     */
    public Builder assign(String topic) {
      whole = Optional.of(topic);
      return this;
    }

    /**
     * Where to begin in assigned queues; by default where the group was.
     *
     * @param time the first message stored at that time or later; {@link Instant#EPOCH} for the
     *     beginning
     * @return this
     */
    public Builder from(Instant time) {
      this.from = Optional.of(time);
      return this;
    }

    /**
     * How many messages of a queue are in the receiver's hands at most. Default 500.
     *
     * @param messages at least 1
     * @return this
     */
    public Builder window(int messages) {
      if (messages < 1) {
        throw new IllegalArgumentException("window is " + messages + " but must be at least 1");
      }
      this.window = messages;
      return this;
    }

    /**
     * Sets the same as {@link RocketMqReceiver.Builder#deadLetters}.
     *
     * @param publisher the publisher that publishes the receiver's dead letters
     * @return this
     */
    public Builder deadLetters(RocketMqDeadLetterPublisher publisher) {
      this.deadLetters = Optional.of(publisher);
      return this;
    }

    /**
     * How long {@link RocketMqPullReceiver#close()} waits for running handlers. Default 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder drainTimeout(Duration timeout) {
      this.drainTimeout = Durations.limit("drainTimeout", timeout);
      return this;
    }

    /**
     * Starts to read, on a thread that is no daemon. Whatever it throws, the consumer does not run
     * afterwards; it cannot be started again, take a new one.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, or no broker knows the group
     * @throws IllegalStateException if the dead-letter topic is missing and cannot be made
     * @throws MQClientException if the consumer cannot start, or the brokers or their name server
     *     do not answer; also if it runs already, and then it runs on
     */
    public RocketMqPullReceiver start() throws MQClientException {
      check();
      if (consumer.isRunning()) {
        throw new MQClientException("the consumer runs already", null);
      }
      for (Subscription subscription : subscriptions) {
        consumer.subscribe(subscription.topic(), subscription.expression());
      }
      PushConsumerSettings.ownDeadLetters(topics(), internals.group(), receiver.consumerName())
          .ifPresent(LOG::warn);
      ReceiverPort<MessageExt> port = receiver.port();
      GroupCheck check =
          new GroupCheck(internals, port.settings().retention(), port.clock(), false);
      Starting.orEnd(
          () -> {
            consumer.start();
            whole.ifPresent(internals::findBrokers);
            check.requireAllowed();
            check.refusal();
            check.requireGroup();
            RocketMqDeadLetterPublisher.prepare(deadLetters, receiver);
            if (whole.isPresent()) {
              takeAll(whole.get());
            }
          },
          consumer::shutdown);
      PullLoop.Bounds bounds = new PullLoop.Bounds(
          window, port.settings().transactional() ? 0 : window, drainTimeout, SILENCE);
      InFlightWindows<MessageExt> windows =
          new InFlightWindows<>(port.openLanes(), MessageExt::getBornTimestamp, System::nanoTime);
      PullLoop loop = new PullLoop(consumer, internals, windows, bounds, receiver);
      PollThread thread = new PollThread(
          "hapax-rocketmq-pull-" + consumer.getConsumerGroup(), () -> loop, port.clock());
      thread.start();
      return new RocketMqPullReceiver(this, thread, check);
    }

    private List<String> topics() {
      return Stream.concat(subscriptions.stream().map(Subscription::topic), whole.stream())
          .toList();
    }

    private void check() {
      if (consumer.isAutoCommit()) {
        throw new IllegalArgumentException("autoCommit is true, which is the client's default, but"
            + " must be false: the client would commit messages that are not done");
      }
      if (consumer.getMessageModel() == MessageModel.BROADCASTING) {
        throw new IllegalArgumentException("messageModel is BROADCASTING but must be CLUSTERING:"
            + " all instances would share their marks");
      }
      if (subscriptions.isEmpty() == whole.isEmpty()) {
        throw new IllegalArgumentException(
            "either subscribe(..) or assign(..) must be called, and not both");
      }
      if (from.isEmpty() && consumer.getConsumeFromWhere() == CONSUME_FROM_LAST_OFFSET) {
        throw new IllegalArgumentException("consumeFromWhere is CONSUME_FROM_LAST_OFFSET, which is"
            + " the client's default, but must be another: until this group has an offset in a"
            + " queue, each member that gets it would begin at its end anew, and what was sent"
            + " between two of them would never come");
      }
      if (from.isPresent() && whole.isEmpty()) {
        throw new IllegalArgumentException(
            "from is " + from.get() + " but needs assign(..): where a"
                + " group begins is said by its offsets and by the consumer's consumeFromWhere");
      }
    }

    /** The client forgets its own {@code seek} when the first pull after it fails. */
    private void takeAll(String topic)
        throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
      Collection<MessageQueue> queues = consumer.fetchMessageQueues(topic);
      if (from.isPresent()) {
        internals.makeGroup();
        for (MessageQueue queue : queues) {
          long start = consumer.offsetForTimestamp(queue, from.get().toEpochMilli());
          internals.writeOffset(queue, start);
        }
      }
      consumer.assign(queues);
    }
  }
}
