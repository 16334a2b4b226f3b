package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.ShopPool;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
    if (spring) {
      runSpring(parent, reports, gate);
      return 0;
    }
    try (OrderSource<?> source = Brokers.source(broker, address, group, orderly, protocol, reports);
        HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      if (naive) {
        source.feed(new NaiveHandler(number, database, reports, gate), parent);
      } else {
        new HapaxConsumer<>(number, source, database, new Marks(redis), reports, gate)
            .run(mode, maxAttempts, parent);
      }
    }
    return 0;
  }

  private void runSpring(ParentWatch parent, Reports reports, PauseGate gate)
      throws InterruptedException {
    try (HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      new SpringConsumer(
              Brokers.springSource(broker, address, orderly),
              new SpringConsumer.Parts(number, address, database, mode, protocol, reports, gate))
          .run(maxAttempts, new Marks(redis), parent);
    }
  }

  private PauseGate.Hold hold(ParentWatch parent) {
    return holdUntilReleased
        ? parent::awaitRelease
        : () -> TimeUnit.MILLISECONDS.sleep(naive ? 120 : 60);
  }
}
