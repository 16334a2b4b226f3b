package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.ServiceSettings;
import io.hapax.demo.ShopPool;
import io.hapax.servers.LocalRocketMq;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class HapaxConsumerTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @TempDir
  private Path folder;

  @Test
  void a_service_that_starts_while_its_broker_is_away_waits_for_it() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    ParentInput parent = new ParentInput();
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        ShopDatabase shop = ShopDatabase.open(ShopKind.H2, folder);
        HikariDataSource database = new HikariDataSource(ShopPool.of(shop.url()))) {
      rocketMq.createTopic(OrderChannel.TOPIC, 1);
      rocketMq.kill();
      ParentWatch watch = ParentWatch.of(parent);
      HapaxConsumer consumer = consumer(rocketMq.nameServer(), database, new Reports(reported));
      Future<?> run = thread.submit(() -> {
        consumer.run(Mode.TRANSACTIONAL, 1, watch);
        return consumer;
      });
      Ports.hangUpOnTheFirst(rocketMq.nameServer(), BOUND);
      rocketMq.restart();
      await()
          .atMost(BOUND)
          .until(() ->
              run.isDone() || reported.toString(StandardCharsets.UTF_8).contains(Reports.READY));
      parent.say(ParentWatch.STOP);
      run.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
  }

  private static HapaxConsumer consumer(
      String nameServer, HikariDataSource database, Reports reports) {
    ServiceSettings.Channel channel = new ServiceSettings.Channel(
        BrokerKind.ROCKETMQ, nameServer, OrderChannel.TOPIC, OrderChannel.GROUP);
    return new HapaxConsumer(
        BrokerKind.ROCKETMQ,
        () -> new RocketMqOrders(
            channel, false, consumer -> RocketMqTuning.prepare(consumer, reports)),
        1,
        database,
        new Marks(List.of()),
        reports,
        new PauseGate(reports, Long.MAX_VALUE, () -> {}));
  }
}
