package io.hapax.spring.rocketmq;

import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalRocketMq;
import io.hapax.spring.autoconfigure.HapaxAutoConfiguration;
import io.hapax.spring.autoconfigure.HapaxRocketMqAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.RequestCallback;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The one real broker of this JVM, and applications that use it. */
public final class Broker {

  /** The longest wait of a test. */
  public static final Duration BOUND = Duration.ofSeconds(60);

  private static @Nullable LocalRocketMq server;
  private static @Nullable DefaultMQProducer producer;

  private Broker() {}

  private static synchronized LocalRocketMq server() {
    LocalRocketMq running = server;
    if (running == null) {
      System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
      System.setProperty("rocketmq.client.rebalance.minInterval", "200");
      running = LocalRocketMq.start();
      server = running;
    }
    return running;
  }

  /** Returns the address of the name server. */
  public static String nameServer() {
    return server().nameServer();
  }

  /** Creates a topic with one queue. */
  public static void createTopic(String name) {
    server().createTopic(name, 1);
  }

  /** Makes a group whose messages the broker drops when a consumer sends them back. */
  static void createForgetfulGroup(String name) {
    server().createGroupWithoutRetries(name);
  }

  /** Starts an application with listeners; its settings are {@code name=value}. */
  static ConfigurableApplicationContext application(Class<?> configuration, String... settings) {
    return new SpringApplicationBuilder(
            configuration,
            RocketMQAutoConfiguration.class,
            HapaxAutoConfiguration.class,
            HapaxRocketMqAutoConfiguration.class)
        .web(WebApplicationType.NONE)
        .properties("rocketmq.name-server=" + server().nameServer())
        .properties("spring.main.banner-mode=off")
        .properties(settings)
        .run();
  }

  static synchronized DefaultMQProducer producer() throws MQClientException {
    DefaultMQProducer running = producer;
    if (running == null) {
      running = client(new DefaultMQProducer("senders"));
      running.setSendMsgTimeout(20_000);
      running.start();
      producer = running;
    }
    return running;
  }

  /** Sends a message. */
  public static void send(String topic, String key, String body) throws Exception {
    send(message(topic, key, body));
  }

  static void send(Message message) throws Exception {
    var unused = producer().send(message);
  }

  /** Sends a request; {@code request(..)} without a callback does not wait in client 5.3.2. */
  static CompletableFuture<String> request(Message request) throws Exception {
    CompletableFuture<String> reply = new CompletableFuture<>();
    RequestCallback callback = new RequestCallback() {
      @Override
      public void onSuccess(Message message) {
        reply.complete(new String(message.getBody(), StandardCharsets.UTF_8));
      }

      @Override
      public void onException(Throwable e) {
        reply.completeExceptionally(e);
      }
    };
    producer().request(request, callback, BOUND.toMillis());
    return reply;
  }

  static Message message(String topic, String key, String body) {
    return new Message(topic, "", key, body.getBytes(StandardCharsets.UTF_8));
  }

  static String body(MessageExt message) {
    return new String(message.getBody(), StandardCharsets.UTF_8);
  }

  private static <C extends ClientConfig> C client(C client) {
    client.setNamesrvAddr(server().nameServer());
    client.setInstanceName(UUID.randomUUID().toString());
    client.setPollNameServerInterval(1_000);
    client.setHeartbeatBrokerInterval(1_000);
    client.setMqClientApiTimeout(20_000);
    return client;
  }

  /** Reads a topic until it has that many messages. */
  static List<MessageExt> read(String topic, int count) throws MQClientException {
    DefaultLitePullConsumer consumer = client(new DefaultLitePullConsumer("readers"));
    consumer.setAutoCommit(false);
    consumer.start();
    try {
      long end = System.nanoTime() + BOUND.toNanos();
      await() // a topic of dead letters is created while its consumer runs
          .atMost(BOUND)
          .ignoreExceptionsInstanceOf(MQClientException.class)
          .until(() -> {
            consumer.assign(consumer.fetchMessageQueues(topic));
            for (MessageQueue queue : consumer.assignment()) {
              consumer.seekToBegin(queue);
            }
            return !consumer.assignment().isEmpty();
          });
      List<MessageExt> messages = new ArrayList<>();
      while (messages.size() < count && System.nanoTime() < end) {
        messages.addAll(consumer.poll(100));
      }
      return messages;
    } finally {
      consumer.shutdown();
    }
  }
}
