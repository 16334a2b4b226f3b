package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.console.Console;
import io.hapax.console.ConsoleServer;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.Figures;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.security.TokenFile;
import io.hapax.console.view.Figure;
import io.hapax.console.view.Setting;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.KafkaEvents;
import io.hapax.demo.scene.Stage;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The live demo: servers, consumers, and a console with the view "Break it". */
final class Serving implements AutoCloseable {

  private static final int MEMBERS = 2;
  private static final GroupPlan GROUP = new GroupPlan(MEMBERS, 3, GroupPlan.Protocol.CLASSIC);

  /** The pages must not wait long for a store that is stopped. */
  private static final Duration CONNECT = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 4;

  /** After this time the page shows that a consumer is still missing. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final long TICK_MILLIS = 100;

  /** Gives an order as many attempts as a campaign with this number of kills does. */
  private static final String MANY_KILLS = "--kills 10";

  private final Parts parts = new Parts();
  private final StoreKind store;
  private final Mode mode;
  private final Path folder;
  private final Stores stores;
  private final String token;
  private final URI address;

  Serving(
      StoreKind store, Mode mode, InetSocketAddress listen, Path folder, Consumer<String> progress)
      throws Exception {
    this.store = store;
    this.mode = mode;
    this.folder = folder;
    try {
      progress.accept("starting kafka and " + store);
      KafkaBroker broker = parts.add(KafkaBroker.start(GROUP));
      stores = parts.add(Stores.open(store, folder));
      String durability = stores.durability();
      progress.accept("ledger in " + durability);
      HikariDataSource pool = parts.add(stores.pool(CONNECTIONS, CONNECT));
      DedupStore marks = parts.add(stores.marks().open(pool));
      progress.accept("starting two consumers with Hapax, " + mode + ", and a naive one");
      Stage stage = new Stage(new KafkaEvents(broker.address()), pool, marks, () -> marks);
      Payments payments = parts.add(new Payments(stage, folder));
      Consumers hapax = new Consumers(settings(false), broker, stores, folder);
      Crew crew = crew(hapax, broker);
      LiveTrial trial =
          parts.add(new LiveTrial(broker, stores, payments, crew, mode == Mode.LEASED));
      awaitComplete(crew);
      Deployment deployment = deployment(broker, marks, durability);
      token = TokenFile.read(folder.resolve("console-token"));
      Console console = Console.open(
          ConsoleSettings.standalone(token)
              .forHosts(Set.of(listen.getHostString()))
              .allowingWrites(folder.resolve("console-actions.jsonl")),
          deployment,
          new LiveFigures(hapax, new StoreFigures(deployment, InstantSource.system())),
          trial);
      address = parts.add(serve(console, listen)).address();
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  /** Waits for all consumers, so that the first button finds them at work. */
  private static void awaitComplete(Crew crew) throws InterruptedException {
    long begin = System.nanoTime();
    while (!crew.isComplete() && System.nanoTime() - begin < START.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  private static ConsoleServer serve(Console console, InetSocketAddress listen) throws IOException {
    try {
      return ConsoleServer.start(console, listen, Optional.empty());
    } catch (IOException | RuntimeException e) {
      console.close();
      throw e;
    }
  }

  private Crew crew(Consumers hapax, KafkaBroker broker) throws IOException {
    Path logs = Files.createDirectory(folder.resolve(LiveTrial.NAIVE_GROUP));
    Consumers naive = new Consumers(settings(true), broker, stores, logs);
    return new Crew(
        () -> hapax.start(Long.MAX_VALUE),
        MEMBERS,
        () -> naive.start(Long.MAX_VALUE, ConsumeCommand.GROUP + '=' + LiveTrial.NAIVE_GROUP));
  }

  /** Returns the settings of a consumer. The naive one has no marks, so only its ledger counts. */
  private ChaosSettings settings(boolean naive) {
    StoreKind marks = naive ? store.shop() : store;
    return ChaosCommand.settings(
        MANY_KILLS + " --store " + marks + (naive ? " --naive" : " --mode " + mode));
  }

  private Deployment deployment(KafkaBroker broker, DedupStore marks, String durability) {
    return Deployment.of(HapaxConsumer.NAME, marks)
        .with(
            broker.operations(MarkIds.PLAIN),
            OrderChannel.TOPIC,
            OrderChannel.GROUP,
            KafkaBroker.DEAD_TOPIC)
        .showing(
            List.of(
                new Setting("store", store + ", " + mode + "; ledger in " + durability),
                new Setting("broker", "Kafka at " + broker.address() + ", " + broker.waits())),
            List.of(new Setting("Java", Runtime.version().toString())));
  }

  URI address() {
    return address;
  }

  String token() {
    return token;
  }

  Stores stores() {
    return stores;
  }

  /** Ends all parts, the newest first. */
  @Override
  public void close() throws Exception {
    parts.close();
  }

  /** Adds the reports of the consumers with Hapax to the figures of the store and the broker. */
  private record LiveFigures(Consumers consumers, Figures store) implements Figures {

    @Override
    public Snapshot read() {
      int takeovers = consumers.recoveries().size();
      List<Figure> figures = new ArrayList<>(List.of(
          figure("executed", consumers.count(Reports.Ending.EXECUTED), false),
          figure("duplicates", consumers.count(Reports.Ending.DUPLICATE), false),
          figure("busy", consumers.count(Reports.Ending.DEFERRED), false),
          figure("takeovers", takeovers, takeovers > 0)));
      Snapshot known = store.read();
      figures.addAll(known.figures());
      return new Snapshot(figures, known.problems());
    }

    private static Figure figure(String name, long value, boolean attention) {
      return new Figure(name, OptionalLong.of(value), true, attention);
    }

    @Override
    public Duplicates duplicates() {
      long duplicates = consumers.count(Reports.Ending.DUPLICATE);
      long executed = consumers.count(Reports.Ending.EXECUTED);
      return new Duplicates(
          OptionalLong.of(executed + duplicates), OptionalLong.of(duplicates), List.of());
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
