package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import io.hapax.demo.Shop;
import io.hapax.demo.ShopPool;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Scenes;
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

  final ChaosSettings settings;
  final OrderBroker broker;
  final CampaignStores stores;
  final StoreInspector inspector;
  final Consumers consumers;
  final Acknowledgements acknowledgements;
  final Consumer<String> progress;
  final FaultLog log = new FaultLog();
  private final List<LedgerSnapshot> snapshots = new ArrayList<>();

  private Campaign(
      ChaosSettings settings,
      OrderBroker broker,
      CampaignStores stores,
      Path folder,
      Consumer<String> progress) {
    this.settings = settings;
    this.broker = broker;
    this.stores = stores;
    this.inspector = new StoreInspector(stores, settings.markIds(), alone(), settings.mode());
    this.consumers = new Consumers(settings, broker, stores, folder);
    this.acknowledgements = new Acknowledgements(broker, inspector, Acknowledgements.TIMEOUT);
    this.progress = progress;
  }

  /**
   * Runs a campaign. It ends all processes that it started, also after a failure. Without the class
   * path of an older version, the whole run has one version.
   */
  static Report run(
      ChaosSettings settings, Optional<String> oldClassPath, Path folder, Consumer<String> progress)
      throws Exception {
    progress.accept("starting " + settings.broker + " and " + settings.store);
    try (OrderBroker broker = OrderBroker.start(settings.broker, folder, settings.group());
        CampaignStores stores = CampaignStores.open(settings.store, folder)) {
      return new Campaign(settings, broker, stores, folder, progress).run(oldClassPath);
    }
  }

  boolean alone() {
    return settings.group().alone();
  }

  private Report run(Optional<String> oldClassPath) throws Exception {
    Orders orders = Orders.generate(settings.seed, settings.orders, settings.duplicates);
    Poison poison = Poison.generate(settings.seed, settings.poison());
    String durability =
        settings.naive ? "ledger in " + stores.durability() : stores.durabilityWithMarks();
    progress.accept(durability);
    progress.accept(broker.waits());
    List<Posting> postings = poison.among(orders.published());
    GroupPass pass =
        oldClassPath.isPresent() ? new RollingUpgrade(this, oldClassPath) : new GroupPass(this);
    long begin = System.nanoTime();
    pass.first(postings);
    keep("the first pass");
    for (int replay = 1; replay <= settings.replays; replay++) {
      consumers.useOld(replay % 2 == 0 ? oldClassPath : Optional.empty());
      broker.rewind();
      pass.replay(replay, postings.size());
      keep("replay " + replay);
    }
    double seconds = Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3;
    AuditReport audit = null;
    List<OrderBroker.DeadOrder> dead = List.of();
    Optional<Consumers.RecoveredOrder> slowest = Optional.empty();
    if (!settings.naive) {
      progress.accept("audit of " + postings.size() + " messages");
      audit = inspector.audit(broker);
      dead = broker.deadLetters();
      slowest = consumers.slowestRecovery(log.interruptions, alone());
    }
    CampaignVerdict verdict = judge(orders)
        .withAudit(audit, postings.size(), orders.distinct().size(), poison)
        .withMissing(log, settings.faults)
        .withRecovery(slowest, broker.recoveryBound())
        .withStandstill(log.longestStandstill, broker.recoveryBound())
        .withViolations(poison.violations(dead, snapshots.size()))
        .withViolations(acknowledgements.violations())
        .atLag(broker.lag(OrderChannel.GROUP));
    Map<String, SceneResult> scenes = settings.scenes() ? scenes() : Map.of();
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
        seconds,
        consumers.consumingSeconds());
  }

  private Map<String, SceneResult> scenes() throws Exception {
    MarkAddresses marks = stores.marks();
    try (LocalRedis redis = LocalRedis.start();
        HikariDataSource pool = new HikariDataSource(ShopPool.of(stores.url()));
        DedupStore store = marks.open(pool)) {
      return Scenes.play(
          new Stage(settings.broker, broker::address, pool, store, () -> marks.open(pool)),
          redis.uri(),
          settings.naive ? Variant.NAIVE : Variant.HAPAX,
          title -> progress.accept("scene: " + title));
    }
  }

  private void keep(String pass) throws SQLException {
    try (Connection connection = stores.connect()) {
      snapshots.add(LedgerSnapshot.of(pass, Shop.ledger(connection)));
    }
  }

  /** Checks the ledger, the inventory, and if it is promised the sequence of the effects. */
  private CampaignVerdict judge(Orders orders) throws SQLException {
    try (Connection connection = stores.connect()) {
      List<LedgerRow> ledger = Shop.ledger(connection);
      CampaignVerdict.Evidence evidence = new CampaignVerdict.Evidence(
          ledger, consumers.recoveries(), consumers.completions(), log.disruptions, snapshots);
      return CampaignVerdict.of(
              settings.mode(),
              orders.distinct().stream().map(Order::id).collect(Collectors.toSet()),
              evidence)
          .withStock(orders.pieces(ledger), Shop.piecesTaken(connection))
          .withViolations(
              settings.inOrder() ? new Sequence(orders.distinct()).broken(ledger) : List.of());
    }
  }
}
