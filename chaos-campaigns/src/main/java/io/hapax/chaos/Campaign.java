package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.Orders;
import io.hapax.demo.Scenes;
import io.hapax.demo.Shop;
import io.hapax.demo.ShopPool;
import io.hapax.demo.scene.EventBroker;
import io.hapax.demo.scene.KafkaEvents;
import io.hapax.demo.scene.RocketMqEvents;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import io.hapax.operations.audit.AuditReport;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs one campaign: servers, orders, consumers with their faults and replays. At lag 0 follow an
 * audit, the scenes and the verdict.
 */
final class Campaign {

  private final ChaosSettings settings;
  private final Optional<String> oldClassPath;
  private final Path folder;
  private final Consumer<String> progress;
  private final FaultLog log = new FaultLog();
  private final List<LedgerSnapshot> snapshots = new ArrayList<>();

  /** Without the class path of an older version, the whole run has one version. */
  Campaign(
      ChaosSettings settings,
      Optional<String> oldClassPath,
      Path folder,
      Consumer<String> progress) {
    this.settings = settings;
    this.oldClassPath = oldClassPath;
    this.folder = folder;
    this.progress = progress;
  }

  /** Runs the campaign. It ends all processes that it started, also after a failure. */
  Report run() throws Exception {
    Orders orders = Orders.generate(settings.seed, settings.orders, settings.duplicates);
    Poison poison = Poison.generate(settings.seed, settings.poison());
    progress.accept("starting " + settings.broker + " and " + settings.store);
    try (OrderBroker broker = OrderBroker.start(settings.broker, folder, settings.group());
        Stores stores = Stores.open(settings.store, folder)) {
      String durability =
          settings.naive ? "ledger in " + stores.durability() : stores.durabilityWithMarks();
      progress.accept(durability);
      progress.accept(broker.waits());
      List<Posting> postings = poison.among(orders.published());
      Consumers consumers =
          new Consumers(settings, broker.address(), stores.url(), stores.marks(), folder);
      StoreInspector inspector =
          new StoreInspector(stores, settings.markIds(), settings.group().alone(), settings.mode());
      Acknowledgements acknowledgements = new Acknowledgements(broker, inspector);
      Run run = new Run(
          settings,
          broker,
          stores.servers(),
          inspector,
          consumers,
          acknowledgements,
          log,
          progress);
      GroupPass pass =
          oldClassPath.isPresent() ? new RollingUpgrade(run, oldClassPath) : new GroupPass(run);
      long begin = System.nanoTime();
      pass.first(postings);
      keep("the first pass", stores);
      for (int replay = 1; replay <= settings.replays; replay++) {
        consumers.useOld(replay % 2 == 0 ? oldClassPath : Optional.empty());
        broker.rewind();
        pass.replay(replay, postings.size());
        keep("replay " + replay, stores);
      }
      Duration time = Duration.ofNanos(System.nanoTime() - begin);
      AuditReport audit = null;
      List<DeadOrder> dead = List.of();
      if (!settings.naive) {
        progress.accept("audit of " + postings.size() + " messages");
        audit = inspector.audit(broker);
        dead = broker.deadLetters();
      }
      Optional<RecoveredOrder> slowest = settings.naive
          ? Optional.empty()
          : consumers.slowestRecovery(log.interruptions, settings.group().alone());
      Verdict verdict = judge(orders, stores, consumers)
          .withAudit(audit, postings.size(), orders.distinct().size(), poison)
          .withMissing(log, settings.faults)
          .withRecovery(slowest, broker.recoveryBound())
          .withStandstill(log.longestStandstill, broker.recoveryBound())
          .withViolations(poison.violations(dead, snapshots.size()))
          .withViolations(acknowledgements.violations())
          .atLag(broker.lag());
      Map<String, SceneResult> scenes = scenes(broker, stores);
      return new Report(
          settings,
          broker.waits(),
          durability,
          postings.size(),
          orders.distinct().size(),
          new Report.Poisoned(poison.count(), poison.deadLettered(dead), dead.size()),
          acknowledgements.result(),
          consumers.deliveries(),
          consumers.count(Reports.Ending.DUPLICATE),
          consumers.recoveries().size(),
          log,
          slowest,
          audit,
          scenes,
          verdict.withScenes(scenes),
          time.toMillis() / 1e3,
          consumers.consumingSeconds());
    }
  }

  /** Plays the scenes after all consumers of the campaign have ended. */
  private Map<String, SceneResult> scenes(OrderBroker broker, Stores stores) throws Exception {
    if (!settings.scenes()) {
      return Map.of();
    }
    Marks marks = stores.marks();
    EventBroker events = switch (settings.broker) {
      case KAFKA -> new KafkaEvents(broker.address());
      case ROCKETMQ -> new RocketMqEvents(broker.address());
    };
    try (LocalRedis redis = LocalRedis.start();
        HikariDataSource pool = new HikariDataSource(ShopPool.of(stores.url()));
        DedupStore store = marks.open(pool)) {
      return Scenes.play(
          new Stage(events, pool, store, () -> marks.open(pool)),
          redis.uri(),
          settings.naive ? Variant.NAIVE : Variant.HAPAX,
          title -> progress.accept("scene: " + title));
    }
  }

  private void keep(String pass, Stores stores) throws SQLException {
    try (Connection connection = stores.connect()) {
      snapshots.add(LedgerSnapshot.of(pass, Shop.ledger(connection)));
    }
  }

  /** Checks the ledger, the inventory, and if it is promised the sequence of the effects. */
  private Verdict judge(Orders orders, Stores stores, Consumers consumers) throws SQLException {
    try (Connection connection = stores.connect()) {
      List<LedgerRow> ledger = Shop.ledger(connection);
      Evidence evidence = new Evidence(
          ledger, consumers.recoveries(), consumers.completions(), log.disruptions, snapshots);
      return Verdict.of(
              settings.mode(),
              orders.distinct().stream().map(Order::id).collect(Collectors.toSet()),
              evidence)
          .withStock(orders.pieces(ledger), Shop.piecesTaken(connection))
          .withViolations(
              settings.inOrder() ? new Sequence(orders.distinct()).broken(ledger) : List.of());
    }
  }
}
