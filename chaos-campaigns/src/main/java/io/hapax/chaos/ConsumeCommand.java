package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.ServiceSettings;
import io.hapax.demo.ShopPool;
import io.hapax.demo.scene.NaiveReader;
import io.hapax.demo.scene.RocketMqClients;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the consumer process. Its standard output belongs to its {@link Reports}. */
@Command(name = ConsumeCommand.NAME, hidden = true)
final class ConsumeCommand implements Callable<Integer> {

  static final String NAME = "consume";

  /** The name of the option is fixed: {@code .ci/rolling} starts older versions with it. */
  static final String PAUSE_AFTER = "--brake-after";

  static final String GROUP = "--group";

  private static final Logger LOG = LoggerFactory.getLogger(ConsumeCommand.class);
  private static final Duration RETRY_EVERY = Duration.ofSeconds(1);
  private static final int AT_ONCE = 32;

  /**
   * A deferred order returns behind all messages that the client has pulled and not handled yet.
   * With the client's default of 1,000 for each queue, this would be the longest part of a
   * recovery.
   */
  private static final int PULLED_OF_A_QUEUE = 128;

  @Option(names = "--broker", required = true)
  BrokerKind broker;

  @Option(names = "--address", required = true)
  String address;

  @Option(names = "--number", required = true)
  long number;

  @Option(names = "--orderly")
  boolean orderly;

  @Option(names = "--database", required = true)
  private String databaseUrl;

  @Option(names = "--redis")
  private List<String> redis = List.of();

  @Option(names = "--mode", required = true)
  Mode mode;

  @Option(names = "--protocol")
  GroupPlan.Protocol protocol = GroupPlan.Protocol.CLASSIC;

  @Option(names = GROUP)
  private String group = OrderChannel.GROUP;

  @Option(names = "--naive")
  private boolean naive;

  @Option(names = "--spring")
  private boolean spring;

  @Option(names = PAUSE_AFTER, required = true)
  private long pauseAfter;

  @Option(names = "--max-attempts", required = true)
  int maxAttempts;

  /** Consumes until the parent ends it. Starts again while no broker can be reached. */
  @Override
  public Integer call() throws Exception {
    System.setOut(System.err); // log output must not mix with the reports
    Reports reports = new Reports(new FileOutputStream(FileDescriptor.out));
    ParentWatch parent = new ParentWatch(reports, pauseAfter);
    parent.start(System.in);
    try (HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      do {
        try {
          consume(database, reports, parent);
          return 0;
        } catch (Exception e) {
          if (!isUnreached(e)) {
            throw e;
          }
          LOG.warn("the broker cannot be reached, trying again", e);
        }
      } while (!parent.awaitStop(RETRY_EVERY));
    }
    return 0;
  }

  private static boolean isUnreached(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(RemotingException.class::isInstance);
  }

  private void consume(DataSource database, Reports reports, ParentWatch parent) throws Exception {
    if (spring) {
      new SpringConsumer(this, database, reports, parent).run();
      return;
    }
    try (OrderChannel<?> channel = broker == BrokerKind.KAFKA ? kafka() : rocketMq()) {
      if (!naive) {
        new HapaxConsumer(this, database, reports, parent).run(channel);
        return;
      }
      NaiveConsumer consumer = new NaiveConsumer(number, database, reports, parent);
      int atOnce = broker == BrokerKind.KAFKA ? GroupPlan.MAX_POLL_RECORDS : AT_ONCE;
      try (NaiveReader reading = NaiveReader.start(channel, atOnce, consumer)) {
        reports.ready();
        while (!parent.awaitStop()) {
          reading.mustRun();
        }
      }
    }
  }

  KafkaOrders kafka() {
    return new KafkaOrders(channel(), OrderChannel.Content.ORDERS, protocol.properties());
  }

  private RocketMqOrders rocketMq() {
    return new RocketMqOrders(
        channel(), OrderChannel.Content.ORDERS, orderly, ConsumeCommand::prepare);
  }

  private ServiceSettings.Channel channel() {
    return new ServiceSettings.Channel(broker, address, OrderChannel.TOPIC, group);
  }

  /** Prepares RocketMQ's consumer without Spring: one handler thread for each queue. */
  private static void prepare(DefaultMQPushConsumer consumer) {
    prepareAny(consumer);
    consumer.setConsumeMessageBatchMaxSize(AT_ONCE);
    consumer.setConsumeThreadMin(OrderChannel.PARTITIONS);
    consumer.setConsumeThreadMax(OrderChannel.PARTITIONS);
  }

  /** Prepares RocketMQ's consumer for a run that kills its processes. */
  static void prepareAny(DefaultMQPushConsumer consumer) {
    RocketMqClients.quick(consumer, consumer.getNamesrvAddr());
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setPullThresholdForQueue(PULLED_OF_A_QUEUE);
  }

  MarkAddresses marks() {
    return new MarkAddresses(redis);
  }
}
