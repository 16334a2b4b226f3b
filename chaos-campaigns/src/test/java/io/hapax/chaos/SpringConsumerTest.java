package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderWatch;
import io.hapax.demo.ShopPool;
import io.hapax.demo.spring.SpringParts;
import io.hapax.servers.LocalRocketMq;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SpringConsumerTest {

  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir
  private Path folder;

  @Test
  void an_application_that_starts_while_rocketmq_is_away_waits_for_it() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    ParentInput parent = new ParentInput();
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        ShopDatabase shop = ShopDatabase.open(ShopKind.H2, folder);
        HikariDataSource database = new HikariDataSource(ShopPool.of(shop.url()))) {
      rocketMq.createTopic(OrderChannel.TOPIC, 1);
      rocketMq.kill();
      ParentWatch watch = ParentWatch.of(parent);
      SpringConsumer consumer = consumer(rocketMq.nameServer(), database, new Reports(reported));
      Future<?> run = thread.submit(() -> {
        consumer.run(1, new Marks(List.of()), watch);
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

  private static SpringConsumer consumer(
      String nameServer, HikariDataSource database, Reports reports) {
    return new SpringConsumer(
        BrokerKind.ROCKETMQ,
        nameServer,
        false,
        new SpringParts(
            1,
            database,
            Mode.TRANSACTIONAL,
            Map.of(),
            consumer -> RocketMqTuning.prepareAny(consumer, reports),
            OrderWatch.NONE,
            new ReportingListener(reports, MarkIds.WITHIN_TOPIC)),
        reports);
  }
}
