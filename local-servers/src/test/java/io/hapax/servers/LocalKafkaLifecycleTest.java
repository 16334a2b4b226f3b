package io.hapax.servers;

import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class LocalKafkaLifecycleTest extends LifecycleContract<LocalKafka> {

  @Override
  LocalServer.Builder<LocalKafka> builder() {
    return LocalKafka.builder();
  }

  @Override
  void write(LocalKafka server, String... values) throws Exception {
    server.createTopic("kept", 1);
    KafkaClients.send(server, "kept", values);
  }

  @Override
  List<String> read(LocalKafka server) {
    return KafkaClients.read(server, "kept", "classic", 2);
  }

  @Override
  Refused refused() {
    return new Refused(
        "num.io.threads", "none", "Invalid value none for configuration num.io.threads");
  }
}
