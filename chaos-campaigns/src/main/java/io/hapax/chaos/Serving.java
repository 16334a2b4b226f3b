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
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.KafkaEvents;
import io.hapax.demo.scene.Stage;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The live demo: servers, consumers, and a console with the view "Break it". It ends all of them
 * when it is closed.
 */
final class Serving implements AutoCloseable {

  private static final GroupPlan GROUP = new GroupPlan(2, 3, GroupProtocol.CLASSIC);

  /** The pages must not wait long for a store that is stopped. */
  private static final int CONNECT_MILLIS = 2_000;

  private static final int CONNECTIONS = 4;

  /** After this time the page shows that a consumer is still missing. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final long TICK_MILLIS = 100;
  private static final int SAMPLES = 20;

  /** Gives an order as many attempts as a campaign with this number of kills does. */
  private static final FaultPlan MANY_KILLS = FaultPlan.kills(10);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final StoreKind store;
  private final Mode mode;
  private final Path folder;
  private final Progress progress;
  private Optional<ShopDatabase> shop = Optional.empty();
  private String token = "";
  private URI address = URI.create("");

  private Serving(StoreKind store, Mode mode, Path folder, Progress progress) {
    this.store = store;
    this.mode = mode;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Starts all parts.
   *
   * @param listen the address of the console
   * @param folder an empty folder for data, logs and the token
   */
  static Serving start(
      StoreKind store, Mode mode, InetSocketAddress listen, Path folder, Progress progress)
      throws Exception {
    Serving serving = new Serving(store, mode, folder, progress);
    try {
      serving.startParts(listen);
      return serving;
    } catch (Exception | Error e) {
      serving.close();
      throw e;
    }
  }

  private void startParts(InetSocketAddress listen) throws Exception {
    progress.step("starting kafka and " + store);
    KafkaBroker broker = part(KafkaBroker.start(GROUP));
    ShopDatabase database = part(ShopDatabase.open(store.shop(), folder));
    shop = Optional.of(database);
    MarkServers servers = part(MarkServers.start(store));
    String durability = database.durability();
    progress.step("ledger in " + durability);
    LiveShop live =
        new LiveShop(database, store.marksInShop() ? database.servers() : servers.servers());
    HikariDataSource pool = part(pool(database.url()));
    DedupStore marks = part(servers.marks().open(pool));
    progress.step("starting two consumers with Hapax, " + mode + ", and a naive one");
    Stage stage = new Stage(new KafkaEvents(broker.address()), pool, marks, () -> marks);
    Payments payments = part(new Payments(stage, folder));
    LiveTrial trial = part(trial(broker, database, servers, live, payments));
    awaitComplete(trial);
    Deployment deployment = deployment(broker, marks, durability);
    token = TokenFile.read(folder.resolve("console-token"));
    Console console = Console.open(
        ConsoleSettings.standalone(token)
            .forHosts(Set.of(listen.getHostString()))
            .allowingWrites(folder.resolve("console-actions.jsonl")),
        deployment,
        new LiveFigures(trial::counts, new StoreFigures(deployment, InstantSource.system())),
        trial);
    address = part(serve(console, listen)).address();
  }

  /** Waits for all consumers, so that the first button finds them at work. */
  private static void awaitComplete(LiveTrial trial) throws InterruptedException {
    long begin = System.nanoTime();
    while (!trial.isComplete() && System.nanoTime() - begin < START.toNanos()) {
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

  private LiveTrial trial(
      KafkaBroker broker,
      ShopDatabase database,
      MarkServers servers,
      LiveShop live,
      Payments payments)
      throws IOException {
    Consumers hapax =
        new Consumers(settings(false), broker.address(), database.url(), servers.marks(), folder);
    Consumers naive = new Consumers(
        settings(true),
        broker.address(),
        database.url(),
        new Marks(List.of()),
        Files.createDirectory(folder.resolve(LiveOrders.NAIVE_GROUP)));
    Duration freeze =
        HapaxConsumer.LEASE.plus(broker.memberTimeout()).plus(ShopDatabase.IDLE_LIMIT);
    return LiveTrial.start(
        new LiveOrders(broker),
        live,
        payments,
        freeze,
        mode == Mode.LEASED,
        () -> new LiveConsumer(hapax.start(Long.MAX_VALUE)),
        () -> new LiveConsumer(naive.start(
            Long.MAX_VALUE, List.of(ConsumeCommand.GROUP + '=' + LiveOrders.NAIVE_GROUP))));
  }

  /** Returns the settings of a consumer. The naive one has no marks, so only its ledger counts. */
  private ChaosSettings settings(boolean naive) {
    StoreKind marks = naive && !store.marksInShop() ? StoreKind.POSTGRES : store;
    return new ChaosSettings(
        1,
        0,
        0,
        MANY_KILLS,
        0,
        naive ? marks.modes().get(0) : mode,
        BrokerKind.KAFKA,
        GroupPlan.ALONE,
        false,
        marks,
        1,
        naive,
        false,
        false);
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECT_MILLIS);
    return new HikariDataSource(config);
  }

  private Deployment deployment(KafkaBroker broker, DedupStore marks, String durability) {
    var operations = KafkaOperations.of(
        AuditSettings.<ConsumerRecord<String, byte[]>>of(
                HapaxConsumer.NAME, KafkaIds.header(OrderChannel.ID), KafkaFingerprints.value())
            .withSamples(SAMPLES),
        Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker.address()),
        new StringDeserializer(),
        new ByteArrayDeserializer());
    return Deployment.of(HapaxConsumer.NAME, marks)
        .with(operations, OrderChannel.TOPIC, OrderChannel.GROUP, KafkaDeadTopic.NAME)
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

  /** Returns the address of the console. */
  URI address() {
    return address;
  }

  /** Returns the token of the sign-in. */
  String token() {
    return token;
  }

  /** Returns the database with the ledger. */
  ShopDatabase shop() {
    return shop.orElseThrow();
  }

  /** Ends all parts, the newest first. */
  @Override
  public void close() throws IOException {
    Exception first = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw new IOException("a part of the live demo did not end normally", first);
    }
  }
}
