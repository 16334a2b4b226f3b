package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Text;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

@Timeout(60)
class ShutdownOrderTest {

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(Application.class);
  private final Container container = context.getBean(Container.class);

  @Test
  void messages_that_have_not_started_are_deferred() throws InterruptedException {
    container.submit("1", "2", "3");
    container.running.await();

    Thread closing = new Thread(context::close);
    closing.start();
    container.stopping.await();
    container.mayEnd.countDown();
    closing.join();

    assertThat(container.handled).containsExactly("1");
    assertThat(container.outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(container.outcomes.get(1)).isInstanceOf(Outcome.Deferred.class);
    assertThat(container.outcomes.get(2)).isInstanceOf(Outcome.Deferred.class);
  }

  @Test
  void receivers_close_after_their_container_and_before_their_store() {
    container.mayEnd.countDown();

    context.close();

    assertThat(container.log)
        .containsExactly(
            "container stops: receiver open", "client stops: receiver closed", "store");
  }

  @Test
  void a_context_that_is_stopped_and_started_again_handles_messages() {
    container.mayEnd.countDown();

    context.stop();
    context.start();
    container.submit("1");

    await().untilAsserted(() -> assertThat(container.handled).containsExactly("1"));
    context.close();
  }

  private static String state(IdempotentReceiver<?> receiver) {
    try {
      var unused = receiver.submit(List.of(), (index, outcome) -> {});
      return "receiver open";
    } catch (ReceiverClosedException e) {
      return "receiver closed";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({HapaxAutoConfiguration.class, InMemoryDedupStore.class})
  static class Application {

    @Bean
    Container container(Receivers receivers, List<String> log) {
      return new Container(receivers, log);
    }

    @Bean
    ExecutorSetupTest.Client client(Receivers receivers, List<String> log) {
      ExecutorSetupTest.Client client = new ExecutorSetupTest.Client();
      client.onStop =
          () -> log.add("client stops: " + state(receivers.all().get(0).receiver()));
      return client;
    }

    @Bean
    List<String> log() {
      return new CopyOnWriteArrayList<>();
    }

    @Bean(destroyMethod = "close")
    AutoCloseable storesConnection(List<String> log) {
      return () -> log.add("store");
    }
  }

  /** Stops in the phase of Spring Kafka's containers, and waits for its messages. */
  static final class Container implements SmartLifecycle {

    private final IdempotentReceiver<Text> receiver;
    private final List<String> log;
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final Map<Integer, Outcome> outcomes = new ConcurrentHashMap<>();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private volatile int submitted;
    private volatile boolean started;

    Container(Receivers receivers, List<String> log) {
      this.log = log;
      this.receiver = Text.open(receivers, Text.settings("billing", Consumer.DEFAULT), delivery -> {
        running.countDown();
        mayEnd.await();
        handled.add(delivery.message().id());
      });
    }

    void submit(String... ids) {
      submitted = ids.length;
      var unused = receiver.submit(Stream.of(ids).map(Text::message).toList(), outcomes::put);
    }

    @Override
    public void start() {
      started = true;
    }

    @Override
    public void stop() {
      stopping.countDown();
      log.add("container stops: " + state(receiver));
      await().atMost(Duration.ofSeconds(30)).until(() -> outcomes.size() == submitted);
      started = false;
    }

    @Override
    public boolean isRunning() {
      return started;
    }

    @Override
    public int getPhase() {
      return Integer.MAX_VALUE - 100;
    }
  }
}
