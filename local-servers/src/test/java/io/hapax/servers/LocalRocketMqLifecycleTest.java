package io.hapax.servers;

import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class LocalRocketMqLifecycleTest extends LifecycleContract<LocalRocketMq> {

  @Override
  LocalServer.Builder<LocalRocketMq> builder() {
    return LocalRocketMq.builder();
  }

  @Override
  void write(LocalRocketMq server, String... values) throws Exception {
    server.createTopic("kept", 1);
    RocketMqClients.send(server, "kept", values);
  }

  @Override
  List<String> read(LocalRocketMq server) throws Exception {
    return RocketMqClients.read(server, "kept", 2);
  }

  @Override
  Refused refused() {
    return new Refused(
        "sendMessageThreadPoolNums",
        "none",
        "Setting sendMessageThreadPoolNums=none is not accepted by the broker");
  }
}
