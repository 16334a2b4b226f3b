package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Why the JVM of an orderly consumer does not end by itself, as docs/rocketmq.md says. */
@Timeout(120)
class OrderlyEndTest extends WithConsumers {

  private static Object inside(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  @Test
  @SuppressWarnings("deprecation") // announced to go since 2020, and still the only way
  void a_client_thread_survives_shutdown_and_keeps_the_jvm_alive() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    consumer.registerMessageListener(open(IdempotentOrderlyListener.wrap(
        consumer, store, (messages, context) -> ConsumeOrderlyStatus.SUCCESS)));
    start(consumer);
    Object pop = inside(consumer.getDefaultMQPushConsumerImpl(), "consumeMessagePopService");
    ScheduledExecutorService scheduler =
        (ScheduledExecutorService) inside(pop, "scheduledExecutorService");

    consumer.shutdown();

    try {
      assertThat(scheduler.isShutdown()).isFalse();
      Thread thread = scheduler.submit(Thread::currentThread).get(60, TimeUnit.SECONDS);
      assertThat(thread.getName()).startsWith("ConsumeMessageScheduledThread_");
      assertThat(thread.isDaemon()).isFalse();
      assertThat(thread.isAlive()).isTrue();
    } finally {
      scheduler.shutdownNow();
    }
  }
}
