package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.LocalServer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the service in its own process, as a container does. */
class OrderServiceTest extends ServiceProcesses {

  @Override
  List<String> program() {
    return List.of("-cp", System.getProperty("java.class.path"), ServiceCommand.class.getName());
  }

  @ParameterizedTest
  @EnumSource(BrokerKind.class)
  void an_order_that_is_sent_again_takes_effect_once_also_across_a_restart(BrokerKind kind)
      throws Exception {
    try (LocalServer broker = start(kind)) {
      Process first = startHealthy();
      send("order-1", "order-1");
      endWhenSettled(first, 2);

      Process second = startHealthy();
      send("order-1", "order-2");
      endWhenSettled(second, 2);

      assertThat(effects()).containsExactlyInAnyOrder("order-1", "order-2");
    }
  }
}
