package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a shutdown takes while a handler hangs, on the real broker. */
@Timeout(120)
class KafkaShutdownLimitTest extends WithReceivers {

  private static final Duration DRAIN = Duration.ofSeconds(4);
  private static final Duration LEAVING = Duration.ofSeconds(10);
  private static final Duration AT_ONCE = Duration.ofSeconds(3);

  @Test
  void receiver_and_consumer_end_within_the_drain_time_out_and_ten_seconds() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    IdempotentReceiver<ConsumerRecord<String, String>> hanging =
        open(builder().drainTimeout(DRAIN).leased(store, delivery -> {
          running.countDown();
          goOn.await();
        }));
    KafkaReceiver<String, String> service =
        open(KafkaReceiver.<String, String>builder(hanging, Broker.consumer(group))
            .topics(List.of(topic))
            .drainTimeout(DRAIN)
            .start());
    running.await();

    Duration first = time(service);
    Duration second = time(hanging);
    goOn.countDown();

    assertThat(first).isBetween(DRAIN, DRAIN.plus(LEAVING));
    assertThat(second).as("the handler was waited for once").isLessThan(AT_ONCE);
    assertThat(service.state()).isEqualTo(KafkaReceiver.State.CLOSED);
  }

  private static Duration time(AutoCloseable closed) throws Exception {
    long begin = System.nanoTime();
    closed.close();
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
