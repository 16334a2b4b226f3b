package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KafkaBatchProcessorTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final InMemoryDedupStore store =
      new InMemoryDedupStore(InstantSource.system(), Duration.ofDays(8));

  @Test
  void a_loop_of_the_users_own_seeks_back_to_what_failed_and_commits_the_rest() throws Exception {
    String topic = Broker.topic(1);
    TopicPartition partition = new TopicPartition(topic, 0);
    Broker.send(topic, 0, "a", "b", "a", "c");
    try (IdempotentReceiver<ConsumerRecord<String, String>> receiver = failingOnceOn("b");
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings())) {
      KafkaBatchProcessor<String, String> processor =
          KafkaBatchProcessor.of(receiver, settings(), PATIENCE);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));

      boolean soughtBack = false;
      while (Broker.committed("batch", topic, 0) < 4) {
        processor.resumeDue(consumer);
        Processed processed = processor.process(consumer.poll(Duration.ofMillis(100)));
        soughtBack |= processed.seeks().containsKey(partition)
            && processed.commits().values().stream().allMatch(offset -> offset.offset() == 1);
        processed.applyTo(consumer);
      }

      assertThat(soughtBack).isTrue();
    }
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_consumer_that_commits_by_itself_is_refused() throws Exception {
    Map<String, Object> committing = new HashMap<>(settings());
    committing.put("enable.auto.commit", true);

    try (IdempotentReceiver<ConsumerRecord<String, String>> receiver = failingOnceOn("nothing")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> KafkaBatchProcessor.of(receiver, committing, PATIENCE))
          .withMessageContaining("enable.auto.commit");
    }
  }

  @Test
  void a_dead_letter_topic_must_exist() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaDeadLetterPublisher.to("no-such-topic", Broker.producer()))
        .withMessageContaining("no-such-topic");
  }

  private IdempotentReceiver<ConsumerRecord<String, String>> failingOnceOn(String text) {
    return IdempotentReceiver.<ConsumerRecord<String, String>>builder("orders")
        .id(KafkaIds.key())
        .retry(new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(100)))
        .leased(store, delivery -> {
          if (delivery.message().value().equals(text) && delivery.attempt() == 1) {
            throw new IllegalStateException("fails once");
          }
          effects.add(delivery.message().value());
        });
  }

  private static Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>(Broker.consumer("batch"));
    settings.put("enable.auto.commit", "false");
    return settings;
  }
}
