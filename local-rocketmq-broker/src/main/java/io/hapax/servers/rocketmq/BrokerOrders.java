package io.hapax.servers.rocketmq;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.jspecify.annotations.Nullable;

/**
 * Executes the orders of the JVM that started this one, one a connection: {@code probe},
 * {@code topic NAME QUEUES} and {@code group NAME RETRY_QUEUES}, with tabs between the words. The
 * answer is {@code done}, or why it was not done.
 */
final class BrokerOrders {

  private static final int SILENCE_MILLIS = 5_000;
  private static final long ROUTE_NANOS = TimeUnit.SECONDS.toNanos(25);

  private final BrokerController broker;
  private final NamesrvController nameServer;

  BrokerOrders(BrokerController broker, NamesrvController nameServer) {
    this.broker = broker;
    this.nameServer = nameServer;
  }

  /** Executes orders until the JVM is killed. */
  void serve(int port) throws IOException {
    try (ServerSocket server =
        new ServerSocket(port, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      while (true) {
        try (Socket socket = server.accept()) {
          socket.setSoTimeout(SILENCE_MILLIS);
          String order = new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
          socket.getOutputStream().write(answer(order).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
          System.err.println("the caller of an order has gone: " + e);
        }
      }
    }
  }

  private String answer(@Nullable String order) {
    try {
      String[] words = String.valueOf(order).split("\t", -1);
      switch (words[0]) {
        case "probe" -> {}
        case "topic" -> createTopic(words[1], Integer.parseInt(words[2]));
        case "group" -> createGroup(words[1], Integer.parseInt(words[2]));
        default -> throw new IllegalArgumentException("unknown order: " + order);
      }
      return "done";
    } catch (Exception e) {
      e.printStackTrace(); // the standard error is the log of this process
      return e.toString();
    }
  }

  /** Creates a topic or changes its queues, and waits until the name server knows that. */
  private void createTopic(String name, int queues) throws InterruptedException {
    TopicValidator.ValidateResult valid = TopicValidator.validateTopic(name);
    RocketMqBrokerMain.require(valid.isValid(), valid.getRemark());
    TopicConfig topic =
        new TopicConfig(name, queues, queues, PermName.PERM_READ | PermName.PERM_WRITE);
    broker.getTopicConfigManager().updateTopicConfig(topic);
    broker.registerIncrementBrokerData(topic, broker.getTopicConfigManager().getDataVersion());
    long start = System.nanoTime();
    while (!isRouted(name, queues)) {
      RocketMqBrokerMain.require(
          System.nanoTime() - start < ROUTE_NANOS, "the name server does not know topic " + name);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private boolean isRouted(String topic, int queues) {
    TopicRouteData route = nameServer.getRouteInfoManager().pickupTopicRouteData(topic);
    return route != null
        && route.getQueueDatas().stream().anyMatch(it -> it.getReadQueueNums() == queues);
  }

  private void createGroup(String name, int retryQueues) {
    SubscriptionGroupConfig group = new SubscriptionGroupConfig();
    group.setGroupName(name);
    group.setRetryQueueNums(retryQueues);
    broker.getSubscriptionGroupManager().updateSubscriptionGroupConfig(group);
  }
}
