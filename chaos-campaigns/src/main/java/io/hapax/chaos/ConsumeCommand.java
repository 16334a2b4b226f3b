package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.ServiceSettings;
import io.hapax.demo.ShopPool;
import io.hapax.demo.spring.SpringParts;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the consumer process. Its standard output belongs to its {@link Reports}. */
@Command(name = ConsumeCommand.NAME, hidden = true)
final class ConsumeCommand implements Callable<Integer> {

  static final String NAME = "consume";

  /** The names of both options are fixed: {@code .ci/rolling} starts older versions with them. */
  static final String PAUSE_AFTER = "--brake-after";

  static final String HOLD_UNTIL_RELEASED = "--held-until-told";

  static final String PROTOCOL = "--protocol";

  static final String GROUP = "--group";

  @Option(names = "--broker", required = true)
  private BrokerKind broker;

  @Option(names = "--address", required = true)
  private String address;

  @Option(names = "--number", required = true)
  private long number;

  @Option(names = "--orderly")
  private boolean orderly;

  @Option(names = "--database", required = true)
  private String databaseUrl;

  @Option(names = "--redis")
  private List<String> redis = List.of();

  @Option(names = "--mode", required = true)
  private Mode mode;

  @Option(names = ConsumeCommand.PROTOCOL)
  private GroupProtocol protocol = GroupProtocol.CLASSIC;

  @Option(names = ConsumeCommand.GROUP)
  private String group = OrderChannel.GROUP;

  @Option(names = "--naive")
  private boolean naive;

  @Option(names = "--spring")
  private boolean spring;

  @Option(names = ConsumeCommand.PAUSE_AFTER, required = true)
  private long pauseAfter;

  @Option(names = ConsumeCommand.HOLD_UNTIL_RELEASED)
  private boolean holdUntilReleased;

  @Option(names = "--max-attempts", required = true)
  private int maxAttempts;

  @Override
  public Integer call() throws Exception {
    System.setOut(System.err); // log output must not mix with the reports
    ParentWatch parent = ParentWatch.of(System.in);
    Reports reports = new Reports(new FileOutputStream(FileDescriptor.out));
    PauseGate gate = new PauseGate(reports, pauseAfter, hold(parent));
    parent.use(gate);
    try (HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      if (spring) {
        new SpringConsumer(broker, address, orderly, parts(database, reports, gate), reports)
            .run(maxAttempts, new Marks(redis), parent);
      } else if (naive) {
        runNaive(new NaiveHandler(number, database, reports, gate), reports, parent);
      } else {
        new HapaxConsumer(
                broker, () -> channel(reports), number, database, new Marks(redis), reports, gate)
            .run(mode, maxAttempts, parent);
      }
    }
    return 0;
  }

  private void runNaive(NaiveHandler handler, Reports reports, ParentWatch parent)
      throws Exception {
    NaiveConsumer consumer = new NaiveConsumer(OrderChannel.TOPIC, handler, reports, parent);
    try (OrderChannel<?> channel = channel(reports)) {
      if (channel instanceof KafkaOrders kafka) {
        consumer.run(kafka);
      } else if (channel instanceof RocketMqOrders rocketMq) {
        consumer.run(rocketMq);
      }
    }
  }

  /** Opens the orders with the settings of a run that kills its processes. */
  private OrderChannel<?> channel(Reports reports) {
    ServiceSettings.Channel settings =
        new ServiceSettings.Channel(broker, address, OrderChannel.TOPIC, group);
    return switch (broker) {
      case KAFKA -> new KafkaOrders(settings, KafkaTuning.properties(protocol, reports));
      case ROCKETMQ ->
        new RocketMqOrders(
            settings, orderly, consumer -> RocketMqTuning.prepare(consumer, reports));
    };
  }

  private SpringParts parts(DataSource database, Reports reports, PauseGate gate) {
    return new SpringParts(
        number,
        database,
        mode,
        KafkaTuning.properties(address, protocol, reports),
        consumer -> RocketMqTuning.prepareAny(consumer, reports),
        new ReportingWatch(reports, gate, MarkIds.WITHIN_TOPIC),
        new ReportingListener(reports, MarkIds.WITHIN_TOPIC));
  }

  private PauseGate.Hold hold(ParentWatch parent) {
    return holdUntilReleased
        ? parent::awaitRelease
        : () -> TimeUnit.MILLISECONDS.sleep(naive ? 120 : 60);
  }
}
