package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.LocalKafka;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** The choice between local brokers and containers for the tests of this module. */
class ServerKindTest {

  @Test
  void the_broker_has_the_settings_of_the_local_one_on_either_kind() throws Exception {
    Map<String, String> expected = new TreeMap<>(LocalKafka.defaults());
    expected.keySet().removeIf(name -> name.contains("listener"));
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");

    Map<String, String> actual = new TreeMap<>();
    Broker.ADMIN.describeConfigs(List.of(broker)).all().get(30, TimeUnit.SECONDS).values().stream()
        .flatMap(config -> config.entries().stream())
        .forEach(it -> actual.put(it.name(), String.valueOf(it.value())));

    assertThat(actual).containsAllEntriesOf(expected);
  }
}
