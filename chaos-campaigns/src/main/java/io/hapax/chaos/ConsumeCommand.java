package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.ServiceSettings;
import io.hapax.demo.ShopPool;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
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
  GroupProtocol protocol = GroupProtocol.CLASSIC;

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

  @Override
  public Integer call() throws Exception {
    System.setOut(System.err); // log output must not mix with the reports
    run(System.in, new Reports(new FileOutputStream(FileDescriptor.out)));
    return 0;
  }

  /** Consumes until the parent ends it. Starts again while no broker can be reached. */
  void run(InputStream input, Reports reports) throws Exception {
    PauseGate gate = new PauseGate(reports, pauseAfter);
    ParentWatch parent = ParentWatch.of(input, gate);
    try (HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      do {
        try {
          consume(database, reports, gate, parent);
          return;
        } catch (Exception e) {
          if (!RocketMqTuning.isUnreached(e)) {
            throw e;
          }
          LOG.warn("the broker cannot be reached, trying again", e);
        }
      } while (!parent.awaitStop(RETRY_EVERY));
    }
  }

  private void consume(DataSource database, Reports reports, PauseGate gate, ParentWatch parent)
      throws Exception {
    if (spring) {
      new SpringConsumer(this, database, reports, gate, parent).run();
      return;
    }
    try (OrderChannel<?> channel = channel()) {
      if (!naive) {
        new HapaxConsumer(this, database, reports, gate, parent).run(channel);
      } else if (channel instanceof KafkaOrders kafka) {
        new NaiveConsumer(number, database, reports, gate, parent).run(kafka);
      } else if (channel instanceof RocketMqOrders rocketMq) {
        new NaiveConsumer(number, database, reports, gate, parent).run(rocketMq);
      }
    }
  }

  /** Opens the orders with the settings of a run that kills its processes. */
  private OrderChannel<?> channel() {
    ServiceSettings.Channel settings =
        new ServiceSettings.Channel(broker, address, OrderChannel.TOPIC, group);
    return switch (broker) {
      case KAFKA -> new KafkaOrders(settings, KafkaTuning.properties(protocol));
      case ROCKETMQ -> new RocketMqOrders(settings, orderly, RocketMqTuning::prepare);
    };
  }

  Marks marks() {
    return new Marks(redis);
  }
}
