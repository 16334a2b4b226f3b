package io.hapax.spring.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.Idempotent;
import io.hapax.store.InMemoryDedupStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What only the broker knows of a group. */
@Timeout(120)
class UnsafeGroupTest {

  private static final List<String> HANDLED = new CopyOnWriteArrayList<>();

  @Configuration(proxyBeanMethods = false)
  @Import(Refunds.class)
  static class Application {

    @Bean
    InMemoryDedupStore marks() {
      return new InMemoryDedupStore();
    }
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "refunds", consumerGroup = "forgetful")
  static class Refunds implements RocketMQListener<String>, FastClient {

    @Override
    public void onMessage(String message) {
      HANDLED.add(message);
    }
  }

  @Test
  void a_group_that_drops_what_is_sent_back_fails_the_start() throws Exception {
    Broker.createTopic("refunds");
    Broker.createForgetfulGroup("forgetful");
    Broker.send("refunds", "1", "100");

    assertThatThrownBy(() -> Broker.application(Application.class))
        .hasStackTraceContaining("retryQueueNums of group forgetful is 0");
    assertThat(HANDLED).isEmpty();
  }
}
