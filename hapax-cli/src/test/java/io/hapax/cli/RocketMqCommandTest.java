package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRocketMq;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both commands on a real RocketMQ. */
@Timeout(180)
class RocketMqCommandTest {

  private final Console console = new Console();

  private static void send(LocalRocketMq rocketMq, String... keys) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer("senders");
    producer.setNamesrvAddr(rocketMq.nameServer());
    producer.setSendMsgTimeout(20_000);
    producer.start();
    try {
      for (String key : keys) {
        producer.send(new Message("orders", "", key, body(key).getBytes(StandardCharsets.UTF_8)));
      }
    } finally {
      producer.shutdown();
    }
  }

  private static String body(String key) {
    return "{\"order\": {\"id\": \"" + key + "\"}}";
  }

  @Test
  void an_audit_counts_and_a_replay_of_an_unknown_group_is_a_misuse() throws Exception {
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        LocalRedis redis = LocalRedis.start()) {
      rocketMq.createTopic("orders", 2);
      send(rocketMq, "a", "b", "a");
      String[] audit = {
        "audit",
        "--broker",
        "rocketmq",
        "--bootstrap",
        rocketMq.nameServer(),
        "--topic",
        "orders",
        "--consumer",
        "billing",
        "--id",
        "standard",
        "--store",
        redis.uri()
      };
      String[] replay = {
        "replay",
        "--broker",
        "rocketmq",
        "--bootstrap",
        rocketMq.nameServer(),
        "--topic",
        "orders",
        "--consumer",
        "billing",
        "--id",
        "standard",
        "--store",
        redis.uri(),
        "--group",
        "billing"
      };

      assertThat(console.run(audit)).as(console.err()).isEqualTo(1);
      assertThat(console.out())
          .containsPattern("messages +3\n")
          .containsPattern("duplicates +1 ")
          .containsPattern("WOULD RUN AGAIN +2\n");
      audit[Arrays.asList(audit).indexOf("standard")] = "value:/order/id";
      assertThat(console.run(audit)).as(console.err()).isEqualTo(1);
      assertThat(console.out()).contains("  unknown: a at orders-", "  unknown: b at orders-");
      audit[Arrays.asList(audit).indexOf("value:/order/id")] = "value:order";
      assertThat(console.run(audit)).isEqualTo(2);
      assertThat(console.run(replay)).isEqualTo(2);
      assertThat(console.err()).contains("group billing does not exist");
    }
  }
}
