package io.hapax.spring.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.spring.Idempotent;
import io.hapax.spring.rocketmq.Broker;
import io.hapax.spring.rocketmq.FastClient;
import java.nio.file.Path;
import java.util.List;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The place of a message on RocketMQ does not show where the name of its topic ends. */
@Tag("nightly")
@Timeout(180)
class RocketMqPlaceTest {

  private static final String SHORT = "places";
  private static final String LONG = "places-eu";
  private static final String FOREIGN = "places-old";

  @TempDir
  private Path folder;

  @Configuration(proxyBeanMethods = false)
  @Import({ShortOrders.class, LongOrders.class})
  static class Shop {

    @Bean
    BrokenOrders brokenOrders() {
      return new BrokenOrders();
    }
  }

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = SHORT, consumerGroup = "billing-of-places")
  static class ShortOrders implements RocketMQListener<String>, FastClient {

    @Override
    public void onMessage(String order) {}
  }

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = LONG, consumerGroup = "billing-of-places-eu")
  static class LongOrders implements RocketMQListener<String>, FastClient {

    private final BrokenOrders shop;

    LongOrders(BrokenOrders shop) {
      this.shop = shop;
    }

    @Override
    public void onMessage(String order) {
      shop.handle(order);
    }
  }

  /**
   * The topic of the other listener begins with the same name. A third topic does, too, which none
   * reads.
   */
  @Test
  void a_message_is_dead_lettered_by_its_own_listener_although_another_topic_begins_its_name()
      throws Exception {
    Broker.createTopic(SHORT);
    Broker.createTopic(LONG);
    Broker.createTopic(FOREIGN);
    try (MountedConsole console = MountedConsole.start(
        List.of(ConsoleApplication.class, Shop.class), MountedConsole.onRocketMq(folder))) {
      Broker.send(LONG, "lost", "lost");
      String id = LONG + "/lost";
      console.awaitState(id, MarkState.DONE);
      console.abandon(console.bean(BrokenOrders.class).claim("lost"));

      ConsoleUser operator = new ConsoleUser(console, "ann operator");
      String planned = operator.plan("dead-letter", "id", id);
      assertThat(operator.execute("dead-letter", planned))
          .contains("was published to %DLQ%billing-of-places-eu");

      Origin gone = new Origin("shop-7-4711/billing", FOREIGN + "-broker-a-0@0");
      console.leaveOpen(FOREIGN + "/gone", gone);
      assertThat(operator.plan("redeliver", "id", FOREIGN + "/gone"))
          .contains("which no listener of billing reads");
    }
  }
}
