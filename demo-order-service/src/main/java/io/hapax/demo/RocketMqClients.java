package io.hapax.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;

/**
 * Settings of RocketMQ's clients for one small broker that is killed and restarted. The defaults
 * suit big clusters: a consumer needs half a minute to find its retry topic.
 */
final class RocketMqClients {

  /** The interval of the client's periodic tasks. */
  static final Duration OFTEN = Duration.ofSeconds(1);

  private RocketMqClients() {}

  /**
   * Returns the options of a JVM that consumes. The client reads them once, when its classes are
   * loaded.
   */
  static List<String> jvmOptions(Path folder) {
    return List.of(
        "-Drocketmq.client.rebalance.waitInterval=1000",
        "-Drocketmq.client.rebalance.minInterval=200",
        "-Drocketmq.log.root=" + folder.resolve("rocketmqlogs"),
        "-Drocketmq.log.level=warn");
  }

  /** Configures the client for this name server. */
  static <C extends ClientConfig> C quick(C client, String nameServer) {
    client.setNamesrvAddr(nameServer);
    client.setPollNameServerInterval((int) OFTEN.toMillis());
    client.setHeartbeatBrokerInterval((int) OFTEN.toMillis());
    client.setPersistConsumerOffsetInterval((int) OFTEN.toMillis());
    return client;
  }
}
