package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.chaos.Posting.Flaw;
import io.hapax.console.operations.Deployment;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.view.Setting;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.Stage;
import io.hapax.servers.LocalServer;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

record Serving(
    Mode mode,
    Stage stage,
    Deployment deployment,
    Duration freeze,
    OrderBroker broker,
    CampaignStores stores,
    Consumers consumers) {

  private static final String LOOP_GROUP = "plain-loop";

  /** The pages must not wait long for a store that is stopped. */
  private static final Duration CONNECT = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 4;

  static void run(
      ChaosSettings settings, Path folder, Consumer<String> progress, LiveDemo.Use<Serving> use)
      throws Exception {
    progress.accept("starting " + settings.broker + " and " + settings.store);
    try (OrderBroker broker = OrderBroker.start(settings.broker, folder, settings.group());
        CampaignStores stores = CampaignStores.open(settings.store, folder);
        HikariDataSource pool = stores.pool(CONNECTIONS, CONNECT);
        DedupStore marks = stores.marks().open(pool)) {
      String ledger = "ledger in " + stores.durability();
      progress.accept(ledger);
      progress.accept(
          "starting two consumers with Hapax, " + settings.mode() + ", and a plain loop");
      use.of(new Serving(
          settings.mode(),
          new Stage(settings.broker, broker::address, pool, marks, () -> marks),
          deployment(broker, marks, settings.store + ", " + settings.mode() + "; " + ledger),
          HapaxConsumer.LEASE.plus(broker.memberTimeout()).plus(CampaignStores.IDLE_LIMIT),
          broker,
          stores,
          new Consumers(settings, broker, stores, folder)));
    }
  }

  private static Deployment deployment(OrderBroker broker, DedupStore marks, String store) {
    return Deployment.of(HapaxConsumer.NAME, marks)
        .with(
            broker.operations(MarkIds.PLAIN),
            OrderChannel.TOPIC,
            OrderChannel.GROUP,
            broker.deadTopic)
        .showing(
            List.of(
                new Setting("store", store),
                new Setting(
                    "broker", broker.name + " at " + broker.address() + ", " + broker.waits())),
            List.of(new Setting("Java", Runtime.version().toString())));
  }

  ConsumerProcess start(TrialLane lane) throws IOException {
    return lane == TrialLane.HAPAX
        ? consumers.start(Long.MAX_VALUE)
        : consumers.start(Long.MAX_VALUE, "--naive", ConsumeCommand.GROUP + '=' + LOOP_GROUP);
  }

  private static String group(TrialLane lane) {
    return lane == TrialLane.HAPAX ? OrderChannel.GROUP : LOOP_GROUP;
  }

  void publish(List<Order> orders) throws IOException, InterruptedException {
    broker.publish(orders.stream().map(order -> new Posting(order, Flaw.NONE)).toList());
  }

  long lag(TrialLane lane) throws IOException, InterruptedException {
    return broker.lag(group(lane));
  }

  void rewind(TrialLane lane) throws InterruptedException {
    broker.rewind(group(lane));
  }

  Runnable killStore() {
    stores.servers().forEach(LocalServer::kill);
    return () -> stores.servers().forEach(LocalServer::restart);
  }
}
