package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.demo.OrderChannel;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.InMemoryDedupStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RocketMqSourceTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @Test
  void a_service_that_starts_while_its_broker_is_away_waits_for_it() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    ParentInput parent = new ParentInput();
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        InMemoryDedupStore store = new InMemoryDedupStore()) {
      rocketMq.createTopic(OrderChannel.TOPIC, 1);
      rocketMq.kill();
      ParentWatch watch = ParentWatch.of(parent);
      RocketMqSource source =
          new RocketMqSource(rocketMq.nameServer(), false, new Reports(reported));
      try (IdempotentReceiver<MessageExt> receiver =
          source.receiver("shop").leased(store, delivery -> {})) {
        Future<?> fed = thread.submit(() -> {
          source.feed(receiver, watch);
          return source;
        });
        Ports.hangUpOnTheFirst(rocketMq.nameServer(), BOUND);
        rocketMq.restart();
        await()
            .atMost(BOUND)
            .until(() ->
                fed.isDone() || reported.toString(StandardCharsets.UTF_8).contains(Reports.READY));
        parent.say(ParentWatch.STOP);
        fed.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      thread.shutdownNow();
    }
  }
}
