package io.hapax.demo.scene;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;

/**
 * Settings of RocketMQ's clients for one small broker that is killed and restarted. The defaults
 * suit big clusters: a consumer needs half a minute to find its retry topic.
 */
public final class RocketMqClients {

  public static final Duration OFTEN = Duration.ofSeconds(1);

  private static final String WAIT = "rocketmq.client.rebalance.waitInterval";
  private static final String LEAST_WAIT = "rocketmq.client.rebalance.minInterval";

  private RocketMqClients() {}

  /**
   * Shortens the rebalance interval of the consumers in this JVM, unless a system property sets it.
   * Call this method before the first client is created.
   */
  public static void rebalanceSoon() {
    System.getProperties().putIfAbsent(WAIT, "1000");
    System.getProperties().putIfAbsent(LEAST_WAIT, "200");
  }

  /**
   * Returns the options of a JVM that consumes, with the folder for the log of the client. The
   * client reads them once, when its classes are loaded.
   */
  public static List<String> jvmOptions(Path folder) {
    return List.of(
        "-D" + WAIT + "=1000",
        "-D" + LEAST_WAIT + "=200",
        "-Drocketmq.log.root=" + folder.resolve("rocketmqlogs"),
        "-Drocketmq.log.level=warn");
  }

  public static <C extends ClientConfig> C quick(C client, String nameServer) {
    client.setNamesrvAddr(nameServer);
    client.setPollNameServerInterval((int) OFTEN.toMillis());
    client.setHeartbeatBrokerInterval((int) OFTEN.toMillis());
    client.setPersistConsumerOffsetInterval((int) OFTEN.toMillis());
    return client;
  }
}
