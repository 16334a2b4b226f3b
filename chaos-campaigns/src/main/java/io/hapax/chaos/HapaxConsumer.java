package io.hapax.chaos;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.demo.BrokerException;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderHandler;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the order service on Hapax in a consumer process.
 *
 * @param broker the broker
 * @param channels opens the channel of the orders
 * @param number the number of the consumer in the ledger
 * @param database the shop's database
 * @param marks the addresses of the marks
 * @param reports notify the parent
 * @param gate pauses a batch for a fault
 */
record HapaxConsumer(
    BrokerKind broker,
    Supplier<OrderChannel<?>> channels,
    long number,
    DataSource database,
    Marks marks,
    Reports reports,
    PauseGate gate) {

  /** The consumer's name and the scope of its marks. */
  static final String NAME = OrderChannel.GROUP;

  /** Short, so that the orders of a killed owner do not wait long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** Short and constant, so that an order that always fails soon becomes dead. */
  static final Duration BACKOFF = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(HapaxConsumer.class);
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  /** Handles orders until the parent ends it. Starts again while no broker can be reached. */
  void run(Mode mode, int maxAttempts, ParentWatch parent)
      throws BrokerException, InterruptedException {
    do {
      try (OrderChannel<?> channel = channels.get()) {
        read(channel, mode, maxAttempts, parent);
        return;
      } catch (BrokerException e) {
        if (!RocketMqTuning.isUnreached(e)) {
          throw e;
        }
        LOG.warn("the broker cannot be reached, trying again", e);
      }
    } while (!parent.awaitStop(ASK_EVERY));
  }

  private <M> void read(OrderChannel<M> channel, Mode mode, int maxAttempts, ParentWatch parent)
      throws BrokerException, InterruptedException {
    OrderHandler<M> handler = new OrderHandler<>(
        channel::body, database, number, new ReportingWatch(reports, gate, MarkIds.PLAIN));
    ReceiverBuilder<M> builder = builder(channel, maxAttempts);
    if (mode == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = Marks.inShop(database);
          IdempotentReceiver<M> receiver = handler.transactional(builder, store)) {
        read(channel, receiver, parent);
      }
    } else {
      try (DedupStore store = marks.open(database);
          IdempotentReceiver<M> receiver = handler.leased(builder, store)) {
        read(channel, receiver, parent);
      }
    }
  }

  /** Configures for RocketMQ one handler thread for each queue. */
  private <M> ReceiverBuilder<M> builder(OrderChannel<M> channel, int maxAttempts) {
    ReceiverBuilder<M> builder = channel
        .receiver()
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(maxAttempts, BACKOFF, BACKOFF))
        .listener(new ReportingListener(reports, MarkIds.PLAIN));
    return broker == BrokerKind.ROCKETMQ ? builder.workers(OrderChannel.PARTITIONS) : builder;
  }

  private <M> void read(OrderChannel<M> channel, IdempotentReceiver<M> receiver, ParentWatch parent)
      throws BrokerException, InterruptedException {
    try (OrderChannel.Subscription reading = channel.read(receiver)) {
      reports.ready();
      while (!parent.awaitStop(CHECK_INTERVAL)) {
        reading.mustRun();
      }
    }
  }
}
