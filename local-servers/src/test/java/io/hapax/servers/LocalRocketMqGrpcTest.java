package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.servers.LocalRocketMq.MessageType;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.PushConsumer;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the proxy with the client that needs one. */
@Timeout(300)
class LocalRocketMqGrpcTest {

  private static final ClientServiceProvider CLIENTS = ClientServiceProvider.loadService();

  private static LocalRocketMq rocketMq;

  @BeforeAll
  static void start() {
    rocketMq = LocalRocketMq.builder()
        .grpc()
        .proxySetting("grpcClientConsumerMinLongPollingTimeoutMillis", "1000")
        .proxySetting("grpcClientConsumerMaxLongPollingTimeoutMillis", "1000") // closing waits
        .start();
  }

  @AfterAll
  static void close() {
    rocketMq.close();
  }

  private static ClientConfiguration configuration() {
    return ClientConfiguration.newBuilder()
        .setEndpoints(rocketMq.endpoints())
        .enableSsl(false)
        .setRequestTimeout(Duration.ofSeconds(60)) // a loaded machine is slow
        .build();
  }

  private static void send(String topic, String text) throws Exception {
    try (Producer producer = CLIENTS
        .newProducerBuilder()
        .setClientConfiguration(configuration())
        .setTopics(topic)
        .build()) {
      producer.send(CLIENTS
          .newMessageBuilder()
          .setTopic(topic)
          .setBody(text.getBytes(StandardCharsets.UTF_8))
          .build());
    }
  }

  @Test
  void a_message_that_failed_is_pushed_again_within_seconds() throws Exception {
    rocketMq.createTopic("pushed", 1, MessageType.NORMAL);
    rocketMq.createGroup("pushed-to", 16, false);
    BlockingQueue<Integer> attempts = new LinkedBlockingQueue<>();
    send("pushed", "a");

    try (PushConsumer consumer = CLIENTS
        .newPushConsumerBuilder()
        .setClientConfiguration(configuration())
        .setConsumerGroup("pushed-to")
        .setSubscriptionExpressions(Map.of("pushed", FilterExpression.SUB_ALL))
        .setMessageListener(message -> {
          attempts.add(message.getDeliveryAttempt());
          return message.getDeliveryAttempt() < 2 ? ConsumeResult.FAILURE : ConsumeResult.SUCCESS;
        })
        .build()) {
      assertThat(List.of(next(attempts), next(attempts))).containsExactly(1, 2);
    }
  }

  @Test
  void a_long_poll_is_answered_with_nothing_and_then_with_a_message() throws Exception {
    rocketMq.createTopic("polled", 1, MessageType.NORMAL);
    rocketMq.createGroup("polled-by", 16, false);
    try (SimpleConsumer consumer = CLIENTS
        .newSimpleConsumerBuilder()
        .setClientConfiguration(configuration())
        .setConsumerGroup("polled-by")
        .setAwaitDuration(Duration.ofSeconds(1))
        .setSubscriptionExpressions(Map.of("polled", FilterExpression.SUB_ALL))
        .build()) {
      assertThat(consumer.receive(1, Duration.ofSeconds(10))).isEmpty();
      send("polled", "a");

      List<MessageView> received = consumer.receive(1, Duration.ofSeconds(10));

      assertThat(received).hasSize(1);
      consumer.ack(received.get(0));
    }
  }

  @Test
  void the_proxy_listens_on_loopback_only() throws Exception {
    int port = Integer.parseInt(rocketMq.endpoints().split(":", -1)[1]);
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : network.inetAddresses().toList()) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, port).close())
              .isInstanceOf(ConnectException.class);
        }
      }
    }
    Loopback.connect(port).close();
  }

  @Test
  void a_setting_that_the_proxy_does_not_know_is_refused() {
    assertThatThrownBy(
            () -> LocalRocketMq.builder().grpc().proxySetting("no", "such").start())
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("Setting no=such is not accepted by the proxy");
  }

  private static int next(BlockingQueue<Integer> attempts) throws InterruptedException {
    Integer attempt = attempts.poll(60, TimeUnit.SECONDS);
    return attempt == null ? -1 : attempt;
  }
}
