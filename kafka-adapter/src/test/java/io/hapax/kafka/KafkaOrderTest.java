package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.mark.Bytes;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Orders by key and without order, under one commit cursor. */
@Timeout(120)
class KafkaOrderTest extends WithReceivers {

  private final String topic = Broker.topic(1);
  private final AtomicInteger claims = new AtomicInteger();
  private int polled = 500;

  /** Sends values of the form KEY-NUMBER. */
  private void send(List<String> values) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (String value : values) {
        sent.add(producer.send(
            new ProducerRecord<>(topic, 0, value.substring(0, value.indexOf('-')), value)));
      }
      for (Future<?> one : sent) {
        one.get(30, TimeUnit.SECONDS);
      }
    }
  }

  private KafkaReceiver<String, String> start(
      ProcessingOrder order, MessageHandler<ConsumerRecord<String, String>> handler) {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = open(builder()
        .id(record -> Optional.of(Bytes.utf8(record.value())))
        .drainTimeout(Duration.ofMillis(100))
        .leased(counted(), handler));
    return open(KafkaReceiver.builder(receiver, with(Map.of("max.poll.records", polled)))
        .topics(List.of(topic))
        .drainTimeout(Duration.ofMillis(100))
        .order(order)
        .start());
  }

  private DedupStore counted() {
    return Hook.into(DedupStore.class, store, (method, arguments, call) -> {
      if (method.equals("claim")) {
        claims.incrementAndGet();
      }
      return call.proceed();
    });
  }

  private MessageHandler<ConsumerRecord<String, String>> slowAt(String slow) {
    return delivery -> {
      if (delivery.message().value().equals(slow)) {
        goOn.await();
      }
      record(delivery);
    };
  }

  private static List<String> spread(int records, int keys) {
    return IntStream.range(0, records).mapToObj(i -> "k" + i % keys + "-" + i).toList();
  }

  @Test
  void a_slow_record_holds_back_only_its_key() throws Exception {
    List<String> sent = spread(3000, 10);
    send(sent);

    start(ProcessingOrder.KEY, slowAt("k3-3"));

    await().until(() -> effects.size() == 2700);
    assertThat(effects).noneMatch(it -> it.startsWith("k3-"));
    awaitCommitted(topic, 3);

    goOn.countDown();
    awaitCommitted(topic, 3000);
    for (int key = 0; key < 10; key++) {
      String prefix = "k" + key + "-";
      assertThat(effects.stream().filter(it -> it.startsWith(prefix)))
          .containsExactlyElementsOf(
              sent.stream().filter(it -> it.startsWith(prefix)).toList());
    }
  }

  @Test
  void a_failing_record_holds_back_only_its_key_while_it_waits() throws Exception {
    send(List.of("a-0", "b-1", "a-2", "b-3"));

    KafkaReceiver<String, String> receiver = start(ProcessingOrder.KEY, delivery -> {
      if (delivery.message().value().equals("a-0") && goOn.getCount() > 0) {
        throw new IllegalStateException("not yet");
      }
      record(delivery);
    });

    await().until(() -> effects.size() == 2);
    await().until(() -> receiver.problems().toString().contains(topic + "-0@0"));
    send(List.of("b-4", "a-5"));
    await().until(() -> effects.contains("b-4"));
    assertThat(effects).containsExactly("b-1", "b-3", "b-4");
    awaitCommitted(topic, 0);
  }

  @Test
  void without_an_order_a_slow_record_holds_back_no_other() throws Exception {
    send(spread(1000, 1));

    start(ProcessingOrder.NONE, slowAt("k0-0"));

    await().until(() -> effects.size() == 999);
    awaitCommitted(topic, 0);
    goOn.countDown();
    awaitCommitted(topic, 1000);
  }

  @Test
  void after_a_restart_what_was_completed_neither_runs_nor_is_claimed_one_by_one()
      throws Exception {
    send(spread(2000, 10));
    KafkaReceiver<String, String> first = start(ProcessingOrder.KEY, slowAt("k0-0"));
    await().until(() -> effects.size() == 1800);
    first.close();
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(0);
    goOn.countDown();
    await().until(() -> effects.contains("k0-0"));
    claims.set(0);

    start(ProcessingOrder.KEY, this::record);

    awaitCommitted(topic, 2000);
    assertThat(effects).hasSize(2000).doesNotHaveDuplicates();
    assertThat(claims).hasValueLessThan(30);
  }

  @Test
  void memory_is_bounded_behind_a_slow_record() throws Exception {
    send(spread(1_500, 10));
    polled = 50;

    start(ProcessingOrder.NONE, slowAt("k0-0"));

    await().until(() -> effects.size() >= 450);
    await().during(Duration.ofSeconds(1)).atMost(BOUND).until(() -> effects.size() <= 600);
    goOn.countDown();
    awaitCommitted(topic, 1_500);
    assertThat(effects).hasSize(1_500).doesNotHaveDuplicates();
  }
}
