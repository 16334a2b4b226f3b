package io.hapax.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;

/**
 * Settings of RocketMQ's clients for one small broker that is killed and started again: their own
 * are made for big clusters, where a consumer finds its retry topic after half a minute.
 */
final class RocketMqClients {

  /** How often a client does what it does at intervals. */
  static final Duration OFTEN = Duration.ofSeconds(1);

  private RocketMqClients() {}

  /** Options of a JVM that consumes; the client reads them once, when it is loaded. */
  static List<String> jvmOptions(Path folder) {
    return List.of(
        "-Drocketmq.client.rebalance.waitInterval=1000",
        "-Drocketmq.client.rebalance.minInterval=200",
        "-Drocketmq.log.root=" + folder.resolve("rocketmqlogs"),
        "-Drocketmq.log.level=warn");
  }

  /** That client, at that name server. */
  static <C extends ClientConfig> C quick(C client, String nameServer) {
    client.setNamesrvAddr(nameServer);
    client.setPollNameServerInterval((int) OFTEN.toMillis());
    client.setHeartbeatBrokerInterval((int) OFTEN.toMillis());
    client.setPersistConsumerOffsetInterval((int) OFTEN.toMillis());
    return client;
  }
}
