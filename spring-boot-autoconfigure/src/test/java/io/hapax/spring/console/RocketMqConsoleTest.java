package io.hapax.spring.console;

import static io.hapax.spring.rocketmq.Broker.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.spring.Idempotent;
import io.hapax.spring.rocketmq.Broker;
import io.hapax.spring.rocketmq.FastClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The console of an application operates on the RocketMQ broker of its listener. */
@Tag("nightly")
@Timeout(180)
class RocketMqConsoleTest {

  private static final String OTHERS = "console";
  private static final String ORDERS = "console-orders";
  private static final String LETTERS = "%DLQ%billing-of-console";

  @TempDir
  private static Path folder;

  @AutoClose
  private static MountedConsole console;

  private static ConsoleUser operator;

  @Configuration(proxyBeanMethods = false)
  @Import({Others.class, Orders.class})
  static class Shop {

    @Bean
    BrokenOrders brokenOrders() {
      return new BrokenOrders();
    }
  }

  /** A listener whose topic name is the beginning of the next listener's topic name. */
  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = OTHERS, consumerGroup = "billing-of-others")
  static class Others implements RocketMQListener<String>, FastClient {

    @Override
    public void onMessage(String order) {}
  }

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = ORDERS, consumerGroup = "billing-of-console")
  static class Orders implements RocketMQListener<String>, FastClient {

    private final BrokenOrders shop;

    Orders(BrokenOrders shop) {
      this.shop = shop;
    }

    @Override
    public void onMessage(String order) {
      shop.handle(order);
    }
  }

  @BeforeAll
  static void start() {
    Broker.createTopic(OTHERS);
    Broker.createTopic(ORDERS);
    console = MountedConsole.start(
        List.of(ConsoleApplication.class, Shop.class), MountedConsole.onRocketMq(folder));
    operator = new ConsoleUser(console, "ann operator");
  }

  private static BrokenOrders shop() {
    return console.bean(BrokenOrders.class);
  }

  @Test
  void a_message_that_failed_for_good_runs_after_a_dry_run_and_a_redrive() throws Exception {
    shop().breaks("poison");
    Broker.send(ORDERS, "poison", "poison");
    String id = ORDERS + "/poison";
    console.awaitState(id, MarkState.DEAD);

    assertThat(operator
            .get("/deadletters?topic=" + URLEncoder.encode(LETTERS, StandardCharsets.UTF_8))
            .body())
        .contains(LETTERS, "RejectedMessageException");
    String planned = plan(ORDERS);
    assertThat(planned).contains("This was a dry run, nothing was published.");
    shop().mend("poison");
    assertThat(operator.execute("redrive", planned)).containsPattern("published +1\n");

    await().atMost(BOUND).until(() -> shop().count("poison") == 1);
    console.awaitState(id, MarkState.DONE);
  }

  private String plan(String to) throws Exception {
    return operator.plan("redrive", "topic", LETTERS, "id", ORDERS + "/poison", "to", to);
  }

  @Test
  void the_message_of_an_open_mark_is_redelivered_or_dead_lettered() throws Exception {
    Broker.send(ORDERS, "again", "again");
    String id = ORDERS + "/again";
    console.awaitState(id, MarkState.DONE);
    console.abandon(shop().claim("again"));

    String planned = operator.plan("redeliver", "id", id);
    assertThat(operator.execute("redeliver", planned)).contains(id + " was published again");
    await().atMost(BOUND).until(() -> shop().count("again") == 2);
    console.awaitState(id, MarkState.DONE);

    console.abandon(shop().claim("again"));
    String hopeless = operator.plan("dead-letter", "id", id);
    assertThat(operator.execute("dead-letter", hopeless)).contains("was published to " + LETTERS);
    console.awaitState(id, MarkState.DEAD);
  }

  @Test
  void a_message_of_a_topic_that_begins_with_the_name_of_another_one_is_not_redelivered()
      throws Exception {
    String old = OTHERS + "-old";
    Broker.createTopic(old);
    console.leaveOpen(old + "/gone", new Origin("shop-7-4711/billing", old + "-broker-a-0@0"));
    assertThat(operator.plan("redeliver", "id", old + "/gone"))
        .contains("which no listener of billing reads");
  }

  @Test
  void an_audit_and_the_status_of_the_group_use_the_connection_of_the_listener() throws Exception {
    Broker.send(ORDERS, "counted", "counted");
    console.awaitState(ORDERS + "/counted", MarkState.DONE);
    assertThat(operator.audit(ORDERS)).contains("topic " + ORDERS + ", from the beginning");
    JsonNode audit = new ObjectMapper().readTree(operator.get("/json/audit").body());
    assertThat(audit.at("/audit/messages").asLong()).isPositive();
    assertThat(audit.at("/audit/ids/unknown").asLong()).isZero();

    assertThat(operator.get("/consumers").body()).contains("rocketmq at " + Broker.nameServer());
    await().atMost(BOUND).untilAsserted(() -> {
      JsonNode live =
          new ObjectMapper().readTree(operator.get("/now/series.json").body()).at("/series/live");
      assertThat(live.path(live.size() - 1).asLong()).isPositive();
    });
  }
}
