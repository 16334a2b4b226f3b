package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.LocalServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the packaged service with {@code java -jar}, with its libraries beside it. Runs once there
 * is a jar.
 */
class OrderServiceJarTest extends ServiceProcesses {

  @Override
  List<String> program() {
    return List.of("-jar", System.getProperty("order-service.jar"));
  }

  @Test
  void an_order_takes_effect_once_and_none_when_it_is_sent_again() throws Exception {
    try (LocalServer broker = start(BrokerKind.KAFKA)) {
      Process first = startHealthy();
      send("order-1");
      endWhenSettled(first, 1);
      assertThat(effects()).containsExactly("order-1");

      Process second = startHealthy();
      send("order-1");
      endWhenSettled(second, 1);
      assertThat(effects()).containsExactly("order-1");
    }
  }
}
