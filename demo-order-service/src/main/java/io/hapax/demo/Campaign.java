package io.hapax.demo;

import io.hapax.audit.AuditReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs one campaign: servers, orders, consumers with their faults and replays. At lag 0 follow an
 * audit and the verdict.
 */
final class Campaign {

  private final DemoSettings settings;
  private final Optional<String> oldClassPath;
  private final Path folder;
  private final Progress progress;
  private final List<LedgerSnapshot> snapshots = new ArrayList<>();
  private @Nullable AuditReport audit;

  /** Creates a run with one version. */
  Campaign(DemoSettings settings, Path folder, Progress progress) {
    this(settings, Optional.empty(), folder, progress);
  }

  /**
   * Creates a run.
   *
   * @param oldClassPath the class path of the version that the group upgrades from and downgrades
   *     to; empty for a run with one version
   * @param folder an empty folder for data and logs
   * @param progress shows the progress
   */
  Campaign(DemoSettings settings, Optional<String> oldClassPath, Path folder, Progress progress) {
    this.settings = settings;
    this.oldClassPath = oldClassPath;
    this.folder = folder;
    this.progress = progress;
  }

  /** Runs the campaign. It ends all processes that it started, also after a failure. */
  Figures run() throws IOException, SQLException, InterruptedException {
    Orders orders = Orders.generate(settings.seed(), settings.orders(), settings.duplicates());
    Poison poison = Poison.generate(settings.seed(), settings.poison());
    progress.step("starting " + settings.broker() + " and " + settings.store());
    try (OrderBroker broker = settings.broker().start(folder);
        ShopDatabase database = ShopDatabase.open(settings.store().shop(), folder);
        MarkServers servers = MarkServers.start(settings.store())) {
      String durability = durability(database, servers);
      progress.step(durability);
      progress.step(broker.waits());
      List<Posting> postings = poison.among(orders.published());
      Publication publication = new Publication(broker, postings, settings.faults());
      Consumers consumers =
          new Consumers(settings, broker.address(), database.url(), servers.marks(), folder);
      StoreInspector inspector = new StoreInspector(database, servers, settings.markIds());
      List<Fault> faults = faults(
          new BrokerRestart(broker),
          new StoreRestart(
              settings.store().marksInShop() ? database.servers() : servers.servers(), inspector),
          new ConsumerStop(consumers, inspector));
      Consumption consumption =
          new Consumption(settings, consumers, broker, inspector, faults, progress);
      long begin = System.nanoTime();
      if (oldClassPath.isPresent()) {
        new RollingUpgrade(settings, oldClassPath.get(), consumers, consumption, broker, progress)
            .firstPass(postings);
      } else {
        consumption.firstPass(publication, postings.size());
      }
      keep("the first pass", database);
      for (int replay = 1; replay <= settings.replays(); replay++) {
        useVersion(consumers, replay);
        broker.rewind();
        consumption.replay(replay, postings.size());
        keep("replay " + replay, database);
      }
      Duration time = Duration.ofNanos(System.nanoTime() - begin);
      if (!settings.naive()) {
        progress.step("audit of " + postings.size() + " messages");
        audit = inspector.audit(broker);
      }
      List<DeadOrder> dead = settings.naive() ? List.of() : broker.deadLetters();
      return figures(
          orders,
          new Figures.Poisoned(poison.count(), poison.deadLettered(dead), dead.size()),
          broker.waits(),
          durability,
          consumers,
          consumption,
          judge(orders, poison, broker, database, consumers, consumption)
              .withViolations(poison.violations(dead, snapshots.size()))
              .withViolations(consumption.acknowledgements().violations())
              .atLag(broker.lag()),
          time);
    }
  }

  /** Alternates the two versions between replays. The first replay uses this version. */
  private void useVersion(Consumers consumers, int replay) {
    consumers.useOwnClassPath();
    oldClassPath.filter(other -> replay % 2 == 0).ifPresent(consumers::useClassPath);
  }

  /** Keeps a snapshot of the ledger. No consumer runs. */
  private void keep(String pass, ShopDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      snapshots.add(LedgerSnapshot.of(pass, Shop.ledger(connection)));
    }
  }

  private List<Fault> faults(Fault brokerRestart, Fault storeRestart, Fault stop) {
    List<Fault> faults = new ArrayList<>();
    faults.addAll(Collections.nCopies(settings.faults().brokerRestarts(), brokerRestart));
    faults.addAll(Collections.nCopies(settings.faults().storeRestarts(), storeRestart));
    faults.addAll(Collections.nCopies(settings.faults().stops(), stop));
    return faults;
  }

  private String durability(ShopDatabase database, MarkServers servers) throws SQLException {
    String shop = database.durability();
    if (settings.naive()) {
      return "ledger in " + shop;
    }
    return servers
        .durability()
        .map(marks -> "marks in " + marks + "; ledger in " + shop)
        .orElse("marks and ledger in " + shop);
  }

  private Verdict judge(
      Orders orders,
      Poison poison,
      OrderBroker broker,
      ShopDatabase database,
      Consumers consumers,
      Consumption consumption)
      throws SQLException {
    try (Connection connection = database.connect()) {
      List<LedgerRow> ledger = Shop.ledger(connection);
      Verdict verdict = Verdict.of(
              settings.promise(),
              orders.distinct().stream().map(Order::id).collect(Collectors.toSet()),
              new Verdict.Evidence(
                  ledger, consumers.recoveries(), consumption.disruptions(), snapshots))
          .withStock(orders.pieces(ledger), Shop.piecesTaken(connection));
      if (settings.inOrder()) {
        verdict = verdict.withViolations(new Sequence(orders.distinct()).broken(ledger));
      }
      if (audit != null) {
        verdict = verdict.withAudit(
            audit, orders.published().size() + poison.count(), orders.distinct().size(), poison);
      }
      FaultPlan asked = settings.faults();
      return verdict
          .withMissing("kills", asked.kills(), consumption.kills().size())
          .withMissing("stops", asked.stops(), consumption.hits(ConsumerStop.NAME))
          .withMissing("store restarts", asked.storeRestarts(), consumption.hits(StoreRestart.NAME))
          .withMissing(
              "broker restarts", asked.brokerRestarts(), consumption.hits(BrokerRestart.NAME))
          .withRecovery(
              consumers.slowestRecovery(consumption.disruptions()), broker.recoveryBound())
          .withStandstill(consumption.longestStandstill(), broker.recoveryBound());
    }
  }

  private Figures figures(
      Orders orders,
      Figures.Poisoned poisoned,
      String waits,
      String durability,
      Consumers consumers,
      Consumption consumption,
      Verdict verdict,
      Duration time) {
    return new Figures(
        settings,
        waits,
        durability,
        orders.published().size() + poisoned.messages(),
        orders.distinct().size(),
        poisoned,
        Figures.Acknowledged.of(consumption.acknowledgements()),
        consumers.deliveries(),
        consumers.duplicates(),
        consumers.recoveries().size(),
        FaultStatistics.of(consumption, consumers.slowestRecovery(consumption.disruptions())),
        audit,
        verdict,
        time.toMillis() / 1e3,
        consumers.consumingSeconds());
  }
}
