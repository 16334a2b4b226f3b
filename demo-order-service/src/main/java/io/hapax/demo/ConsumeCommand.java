package io.hapax.demo;

import com.zaxxer.hikari.HikariDataSource;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The consumer process. Its standard output belongs to its {@link Reports}. */
@Command(name = ConsumeCommand.NAME, hidden = true)
final class ConsumeCommand implements Callable<Integer> {

  static final String NAME = "consume";
  static final String HELD_UNTIL_TOLD = "--held-until-told";

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

  @Option(names = "--naive")
  private boolean naive;

  @Option(names = "--brake-after", required = true)
  private long brakeAfter;

  @Option(names = ConsumeCommand.HELD_UNTIL_TOLD)
  private boolean heldUntilTold;

  @Option(names = "--max-attempts", required = true)
  private int maxAttempts;

  @Override
  public Integer call() throws Exception {
    System.setOut(System.err); // whoever logs there must not disturb the reports
    ParentWatch parent = ParentWatch.of(System.in);
    Reports reports = new Reports(new FileOutputStream(FileDescriptor.out));
    Brake brake = new Brake(reports, brakeAfter, hold(parent));
    try (OrderSource<?> source = broker.source(address, orderly, reports);
        HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl))) {
      if (naive) {
        source.feed(new NaiveHandler(number, database, reports, brake), parent);
      } else {
        new HapaxConsumer<>(number, source, database, new Marks(redis), reports, brake)
            .run(mode, maxAttempts, parent);
      }
    }
    return 0;
  }

  private Brake.Hold hold(ParentWatch parent) {
    return heldUntilTold ? parent::awaitGoOn : () -> TimeUnit.MILLISECONDS.sleep(naive ? 120 : 60);
  }
}
