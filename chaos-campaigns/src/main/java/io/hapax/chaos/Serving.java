package io.hapax.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.console.Console;
import io.hapax.console.ConsoleServer;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.security.TokenFile;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The live demo: servers, consumers, and a console with the view "Break it". */
final class Serving implements AutoCloseable {

  private static final int MEMBERS = 2;
  private static final GroupPlan GROUP = new GroupPlan(MEMBERS, 3, GroupProtocol.CLASSIC);

  /** The pages must not wait long for a store that is stopped. */
  private static final int CONNECT_MILLIS = 2_000;

  private static final int CONNECTIONS = 4;

  /** After this time the page shows that a consumer is still missing. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final long TICK_MILLIS = 100;

  /** Gives an order as many attempts as a campaign with this number of kills does. */
  private static final String MANY_KILLS = "--kills 10";

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
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
      KafkaBroker broker = part(KafkaBroker.start(GROUP));
      stores = part(Stores.open(store, folder));
      String durability = stores.durability();
      progress.accept("ledger in " + durability);
      HikariDataSource pool = part(pool(stores.url()));
      DedupStore marks = part(stores.marks().open(pool));
      progress.accept("starting two consumers with Hapax, " + mode + ", and a naive one");
      Stage stage = new Stage(new KafkaEvents(broker.address()), pool, marks, () -> marks);
      Payments payments = part(new Payments(stage, folder));
      Consumers hapax =
          new Consumers(settings(false), broker.address(), stores.url(), stores.marks(), folder);
      Crew crew = crew(hapax, broker);
      LiveTrial trial = part(new LiveTrial(
          new LiveOrders(broker),
          stores,
          payments,
          crew,
          HapaxConsumer.LEASE.plus(broker.memberTimeout()).plus(Stores.IDLE_LIMIT),
          mode == Mode.LEASED));
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
      address = part(serve(console, listen)).address();
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
    Consumers naive = new Consumers(
        settings(true),
        broker.address(),
        stores.url(),
        new Marks(List.of()),
        Files.createDirectory(folder.resolve(LiveOrders.NAIVE_GROUP)));
    return new Crew(
        () -> hapax.start(Long.MAX_VALUE),
        MEMBERS,
        () -> naive.start(Long.MAX_VALUE, ConsumeCommand.GROUP + '=' + LiveOrders.NAIVE_GROUP));
  }

  /** Returns the settings of a consumer. The naive one has no marks, so only its ledger counts. */
  private ChaosSettings settings(boolean naive) {
    StoreKind marks = naive ? store.shop() : store;
    return ChaosCommand.settings(
        MANY_KILLS + " --store " + marks + (naive ? " --naive" : " --mode " + mode));
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECT_MILLIS);
    return new HikariDataSource(config);
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

  private <P extends AutoCloseable> P part(P part) {
    parts.push(part);
    return part;
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
    try (AutoCloseable oldest = parts.pollLast()) {
      if (!parts.isEmpty()) {
        close();
      }
    }
  }
}
