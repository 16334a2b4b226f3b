package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import io.hapax.demo.OrderChannel;
import io.hapax.servers.LocalRocketMq;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(300)
class HapaxConsumerTest {

  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_service_that_starts_while_its_broker_is_away_waits_for_it(boolean spring)
      throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    ParentInput parent = new ParentInput();
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        Stores shop = Stores.open(StoreKind.H2, folder)) {
      rocketMq.createTopic(OrderChannel.TOPIC, 1);
      rocketMq.kill();
      ConsumeCommand consumer = consumer(rocketMq.nameServer(), shop.url(), spring);
      Future<?> run = thread.submit(() -> {
        consumer.run(parent, new Reports(reported));
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

  private static ConsumeCommand consumer(String nameServer, String database, boolean spring) {
    ConsumeCommand consumer = new ConsumeCommand();
    CommandLine line = new CommandLine(consumer).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs(
        "--broker=rocketmq",
        "--address=" + nameServer,
        "--database=" + database,
        "--mode=transactional",
        "--number=1",
        "--max-attempts=1",
        ConsumeCommand.PAUSE_AFTER + '=' + Long.MAX_VALUE,
        "--spring=" + spring);
    return consumer;
  }
}
