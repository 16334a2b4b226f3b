package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import io.hapax.servers.LocalRocketMq;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class HapaxConsumerTest {

  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_service_that_starts_while_its_broker_is_away_waits_for_it(boolean spring)
      throws Exception {
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        CampaignStores shop = CampaignStores.open(CampaignStore.H2, folder)) {
      rocketMq.createTopic(OrderChannel.TOPIC, 1);
      rocketMq.kill();
      try (ConsumerProcess consumer =
          start("rocketmq", rocketMq.nameServer(), shop.url(), "--spring=" + spring)) {
        hangUpOnTheFirst(rocketMq.nameServer());
        rocketMq.restart();
        await().atMost(BOUND).until(() -> {
          consumer.mustRun();
          return consumer.reports().ready();
        });
        consumer.stop();
      }
    }
  }

  @Test
  void the_process_of_a_plain_loop_ends_with_its_loop() throws Exception {
    try (CampaignStores shop = CampaignStores.open(CampaignStore.H2, folder);
        ConsumerProcess consumer =
            start("kafka", "127.0.0.1:9", shop.url(), "--naive", ConsumeCommand.GROUP + '=')) {
      await()
          .atMost(BOUND)
          .untilAsserted(() -> assertThatThrownBy(consumer::mustRun)
              .hasMessageContaining("the plain loop has ended")
              .hasMessageContaining("InvalidGroupIdException"));
    }
  }

  private ConsumerProcess start(String broker, String address, String database, String... more)
      throws IOException {
    List<String> command = new ArrayList<>(RocketMqClients.jvmOptions(folder));
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(
        "-cp",
        System.getProperty("java.class.path"),
        ChaosCommand.class.getName(),
        ConsumeCommand.NAME,
        "--broker=" + broker,
        "--address=" + address,
        "--database=" + database,
        "--mode=transactional",
        "--number=1",
        "--max-attempts=1",
        ConsumeCommand.PAUSE_AFTER + '=' + Long.MAX_VALUE));
    command.addAll(List.of(more));
    return ConsumerProcess.start(1, folder.resolve("log"), command);
  }

  /** Listens in place of a server until a client has connected. */
  private static void hangUpOnTheFirst(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      socket.accept().close();
    }
  }
}
