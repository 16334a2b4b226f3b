package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRocketMq;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;

/** A broker with a filled topic, a Redis and a PostgreSQL, all of them durable. */
final class RocketMqServers implements AutoCloseable {

  static final String TOPIC = "orders";
  private static final int AT_ONCE = 200;
  private static final int INTERVAL_MILLIS = 1_000;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String BODY = "x".repeat(100);

  private final LocalRocketMq rocketMq = LocalRocketMq.builder()
      .jvmOption("-Xmx1g")
      .jvmOption("-XX:TieredStopAtLevel=4")
      .jvmOption("-XX:MaxDirectMemorySize=512m")
      .setting("mappedFileSizeCommitLog", Integer.toString(1 << 28))
      .setting("mappedFileSizeConsumeQueue", Integer.toString(300_000 * 20))
      .start();
  private final LocalRedis redis =
      LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();
  private final PostgresDatabase postgres = new PostgresDatabase();
  private final HikariDataSource pool = postgres.pool(true);
  private final RedisClient client = RedisClient.create(redis.uri());
  private final StatefulRedisConnection<String, String> connection = client.connect();
  private final RedisDedupStore inRedis =
      RedisDedupStore.builder(RedisURI.create(redis.uri())).build();
  private final JdbcDedupStore inPostgres =
      JdbcDedupStore.builder(pool).createIfAbsent().build();

  /** Fills the topic. */
  void fill(RocketMqSetup setup) throws Exception {
    rocketMq.createTopic(TOPIC, setup.queues());
    DefaultMQProducer producer = connected(new DefaultMQProducer("bench-producer"));
    producer.setSendMsgTimeout(PATIENCE_MILLIS);
    producer.start();
    try {
      var queues = producer.fetchPublishMessageQueues(TOPIC);
      for (int sent = 0, batch = 0; sent < setup.messages(); batch++) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < AT_ONCE && sent < setup.messages(); i++, sent++) {
          messages.add(new Message(
              TOPIC, "", "order-" + sent, (BODY + sent).getBytes(StandardCharsets.UTF_8)));
        }
        producer.send(messages, queues.get(batch % queues.size()));
      }
    } finally {
      producer.shutdown();
    }
  }

  /** Configures a client that notices changes quickly. */
  <C extends ClientConfig> C connected(C config) {
    config.setNamesrvAddr(rocketMq.nameServer());
    config.setPollNameServerInterval(INTERVAL_MILLIS);
    config.setHeartbeatBrokerInterval(INTERVAL_MILLIS);
    config.setMqClientApiTimeout(PATIENCE_MILLIS);
    return config;
  }

  RedisDedupStore inRedis() {
    return inRedis;
  }

  JdbcDedupStore inPostgres() {
    return inPostgres;
  }

  StatefulRedisConnection<String, String> connection() {
    return connection;
  }

  @Override
  public void close() {
    inPostgres.close();
    inRedis.close();
    client.shutdown();
    pool.close();
    postgres.close();
    redis.close();
    rocketMq.close();
  }
}
