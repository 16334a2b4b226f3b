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
import javax.sql.DataSource;

record HapaxConsumer(
    ConsumeCommand options, DataSource database, Reports reports, ParentWatch parent) {

  static final String NAME = OrderChannel.GROUP;

  /** Short, so that the orders of a killed owner do not wait long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** Short and constant, so that an order that always fails soon becomes dead. */
  static final Duration BACKOFF = Duration.ofMillis(200);

  <M> void run(OrderChannel<M> channel) throws BrokerException, InterruptedException {
    ReportingWatch watch = new ReportingWatch(reports, parent, MarkIds.PLAIN);
    OrderHandler<M> handler = new OrderHandler<>(channel::body, database, options.number, watch);
    ReceiverBuilder<M> builder = channel
        .receiver()
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(options.maxAttempts, BACKOFF, BACKOFF))
        .listener(watch);
    if (options.broker == BrokerKind.ROCKETMQ) {
      builder = builder.workers(OrderChannel.PARTITIONS); // one for each queue
    }
    try (DedupStore store = options.marks().open(database);
        IdempotentReceiver<M> receiver = options.mode == Mode.TRANSACTIONAL
            ? handler.transactional(builder, (JdbcDedupStore) store)
            : handler.leased(builder, store);
        OrderChannel.Subscription reading = channel.read(receiver)) {
      reports.ready();
      while (!parent.awaitStop()) {
        reading.mustRun();
      }
    }
  }
}
