package io.hapax.spring.rocketmq;

import static io.hapax.spring.rocketmq.Broker.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.spring.Idempotent;
import io.hapax.store.InMemoryDedupStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tests the end of an application while a listener runs, and a start that its broker refuses. */
@Timeout(120)
class ShutdownTest {

  private static final List<String> REFUNDED = new CopyOnWriteArrayList<>();
  private static final String TOPIC = "parcels";
  private static final int SENT = 20;
  private static final InMemoryDedupStore MARKS = new InMemoryDedupStore();
  private static final List<MessageExt> HANDLED = new CopyOnWriteArrayList<>();
  private static final List<Outcome> OUTCOMES = new CopyOnWriteArrayList<>();
  private static final CountDownLatch BEGUN = new CountDownLatch(1);
  private static final CountDownLatch MAY_END = new CountDownLatch(1);

  @Configuration(proxyBeanMethods = false)
  @Import(Parcels.class)
  static class Application {

    @Bean
    InMemoryDedupStore marks() {
      return MARKS;
    }

    @Bean
    ReceiverListener outcomes() {
      return new ReceiverListener() {
        @Override
        public void onOutcome(String coordinates, Outcome outcome) {
          OUTCOMES.add(outcome);
        }
      };
    }
  }

  /** Handles one message at a time; the first one waits. */
  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = TOPIC,
      consumerGroup = "carrier",
      consumeThreadNumber = 1,
      consumeThreadMax = 1)
  static class Parcels implements RocketMQListener<MessageExt>, FastClient {

    @Override
    public void onMessage(MessageExt parcel) {
      BEGUN.countDown();
      try {
        assertThat(MAY_END.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException("the shutdown did not wait", e);
      }
      HANDLED.add(parcel);
    }
  }

  @Test
  void a_shutdown_waits_for_running_calls_and_starts_no_other() throws Exception {
    Broker.createTopic(TOPIC);
    for (int number = 0; number < SENT; number++) {
      Broker.send(TOPIC, "parcel-" + number, "parcel");
    }
    ConfigurableApplicationContext first = Broker.application(Application.class);
    assertThat(BEGUN.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close);
    await().atMost(BOUND).until(ShutdownTest::isDraining);
    MAY_END.countDown();
    closing.get(BOUND.toSeconds(), TimeUnit.SECONDS);

    assertThat(HANDLED).hasSize(1);
    ConfigurableApplicationContext second = Broker.application(Application.class);
    await().atMost(BOUND).until(() -> HANDLED.size() >= SENT);
    RocketMqListeners listeners = second.getBean(RocketMqListeners.class);
    assertThat(listeners.problemsByName()).containsEntry("carrier", List.of());
    second.getBean(DefaultRocketMQListenerContainer.class).stop();
    assertThat(listeners.problemsByName().get("carrier"))
        .extracting(Problem::kind)
        .contains(Problem.Kind.RECEIVER_DOWN);
    second.close();
    assertThat(HANDLED).extracting(MessageExt::getKeys).doesNotHaveDuplicates().hasSize(SENT);
    assertThat(HANDLED).as("none was sent back").allMatch(it -> it.getReconsumeTimes() == 0);
    assertThat(OUTCOMES).filteredOn(Outcome.Executed.class::isInstance).hasSize(SENT);
  }

  private static boolean isDraining() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(it -> it.getName().startsWith("hapax-rocketmq-draining")
            && it.getState() == Thread.State.TIMED_WAITING);
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Refunds.class, InMemoryDedupStore.class})
  static class RefundApplication {}

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "refunds", consumerGroup = "forgetful")
  static class Refunds implements RocketMQListener<String>, FastClient {

    @Override
    public void onMessage(String message) {
      REFUNDED.add(message);
    }
  }

  @Test
  void a_group_that_drops_what_is_sent_back_fails_the_start() throws Exception {
    Broker.createTopic("refunds");
    Broker.createForgetfulGroup("forgetful");
    Broker.send("refunds", "1", "100");

    assertThatThrownBy(() -> Broker.application(RefundApplication.class))
        .hasStackTraceContaining("retryQueueNums of group forgetful is 0");
    assertThat(REFUNDED).isEmpty();
  }
}
