package io.hapax.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.checkout.CheckoutScene;
import io.hapax.demo.lifecycle.LifecycleScene;
import io.hapax.demo.payment.PaymentScene;
import io.hapax.demo.scene.EventBroker;
import io.hapax.demo.scene.KafkaEvents;
import io.hapax.demo.scene.RocketMqEvents;
import io.hapax.demo.scene.Scene;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import io.hapax.demo.sms.SmsScene;
import io.hapax.demo.stock.Deduction;
import io.hapax.demo.stock.StockScene;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays the scenes of the order service on the servers of a run. */
final class Scenes {

  private final EventBroker broker;
  private final String databaseUrl;
  private final Marks marks;

  /**
   * Makes the scenes.
   *
   * @param kind the broker
   * @param address the broker's address for clients
   * @param databaseUrl the shop's database, which no other process has open if it is an H2 file
   * @param marks the addresses of the marks
   */
  Scenes(BrokerKind kind, String address, String databaseUrl, Marks marks) {
    this.broker = switch (kind) {
      case KAFKA -> new KafkaEvents(address);
      case ROCKETMQ -> new RocketMqEvents(address);
    };
    this.databaseUrl = databaseUrl;
    this.marks = marks;
  }

  /**
   * Plays all scenes, one after the other. A small Redis runs meanwhile, for the lock that is
   * written by hand.
   *
   * @return the results by title, in the order of the table
   * @throws Exception if a server did not answer
   */
  Map<String, SceneResult> play(Variant variant, Progress progress) throws Exception {
    Map<String, SceneResult> results = new LinkedHashMap<>();
    try (LocalRedis redis = LocalRedis.start();
        HikariDataSource database = new HikariDataSource(ShopPool.of(databaseUrl));
        DedupStore store = marks.open(database)) {
      Stage stage = new Stage(broker, database, store, () -> marks.open(database));
      for (Scene scene : all(redis.uri())) {
        progress.step("scene: " + scene.title());
        results.put(scene.title(), scene.play(stage, variant));
      }
    }
    return results;
  }

  private static List<Scene> all(String redis) {
    return List.of(
        new CheckoutScene(),
        new StockScene(Deduction.CONDITION),
        new StockScene(Deduction.VERSION),
        new PaymentScene(true),
        new PaymentScene(false),
        new LifecycleScene(),
        new SmsScene(redis));
  }
}
