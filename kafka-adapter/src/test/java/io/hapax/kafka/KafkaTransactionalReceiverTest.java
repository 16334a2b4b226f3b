package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hapax.DeadLetter;
import io.hapax.Delivery;
import io.hapax.LeaseSettings;
import io.hapax.OutcomeProbe;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class KafkaTransactionalReceiverTest extends WithReceivers {

  /** A handler of the test. */
  private interface Copying
      extends TransactionalHandler.Single<
          ConsumerRecord<String, String>, KafkaOutputs<String, String>> {}

  private final String topic = Broker.topic(2);
  private final String output = Broker.topic(1);

  private void copy(
      KafkaOutputs<String, String> outputs, Delivery<ConsumerRecord<String, String>> delivery) {
    ConsumerRecord<String, String> record = delivery.message();
    var unused = outputs.send(new ProducerRecord<>(output, 0, record.key(), record.value()));
  }

  private KafkaTransactionalReceiver.Builder<String, String> receiving(
      ReceiverBuilder<ConsumerRecord<String, String>> settings, Map<String, Object> consuming) {
    return KafkaTransactionalReceiver.builder(settings, store, with(consuming))
        .topics(List.of(topic));
  }

  private Map<String, Object> producing(String id) {
    Map<String, Object> all = new HashMap<>(Broker.producer());
    all.put("transactional.id", id);
    all.put("transaction.timeout.ms", "10000");
    all.put("linger.ms", "9000"); // what a failing handler has sent is still in the producer
    return all;
  }

  @Override
  ReceiverBuilder<ConsumerRecord<String, String>> builder() {
    return super.builder().lease(LeaseSettings.DEFAULT); // no test waits for its end
  }

  private KafkaTransactionalReceiver.Builder<String, String> receiving(
      ReceiverBuilder<ConsumerRecord<String, String>> settings) {
    return receiving(settings, Map.of("session.timeout.ms", "6000"));
  }

  private KafkaTransactionalReceiver start(Copying handler) {
    return start(receiving(builder()), topic, handler);
  }

  private KafkaTransactionalReceiver start(
      KafkaTransactionalReceiver.Builder<String, String> builder, String id, Copying handler) {
    return open(builder.start(producing(id), handler));
  }

  private List<String> copied() {
    return Broker.readCommitted(output).stream().map(ConsumerRecord::value).toList();
  }

  private MarkState state(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).orElseThrow().state();
  }

  @Test
  void records_and_their_offset_are_committed_together_once_for_each_id() throws Exception {
    Broker.send(topic, 0, "a", "b", "a", "c");

    start(this::copy);

    awaitCommitted(topic, 0, 4);
    assertThat(copied()).containsExactly("a", "b", "c");
    await().until(() -> state("c") == MarkState.DONE);
  }

  @Test
  void a_record_whose_handler_gives_up_at_its_interrupt_is_not_committed_without_its_output()
      throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Broker.send(topic, 0, "a");

    start(
        receiving(builder().handlerTimeout(Duration.ofSeconds(1))), topic, (outputs, delivery) -> {
          if (calls.incrementAndGet() == 1) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              return;
            }
          }
          copy(outputs, delivery);
        });

    awaitCommitted(topic, 0, 1);
    assertThat(copied()).containsExactly("a");
    await().until(() -> state("a") == MarkState.DONE);
  }

  @Test
  void a_record_whose_handler_gives_up_when_it_is_closed_is_left_to_the_next_receiver()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Broker.send(topic, 0, "a");
    KafkaTransactionalReceiver closing = start(
        receiving(
            super.builder().drainTimeout(Duration.ofMillis(100))), // its lease may have to end
        topic,
        (outputs, delivery) -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            return;
          }
        });
    begun.await();
    closing.close();

    start(this::copy);

    awaitCommitted(topic, 0, 1);
    assertThat(copied()).containsExactly("a");
  }

  @Test
  void a_member_that_runs_out_of_memory_leaves_its_records_to_the_others() throws Exception {
    KafkaTransactionalReceiver full = start(this::copy);
    Broker.send(topic, 0, "a");
    awaitCommitted(topic, 0, 1);

    exhaustMemory();
    Broker.send(topic, 0, "b");
    await().until(() -> full.problems().toString().contains("RECEIVER_DOWN"));
    freeMemory();
    start(this::copy);

    awaitCommitted(topic, 0, 2);
    assertThat(copied()).containsExactly("a", "b");
  }

  @Test
  void a_rejected_record_is_dead_lettered_without_doubt_and_passed() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    List<DeadLetter<ConsumerRecord<String, String>>> dead = new CopyOnWriteArrayList<>();

    start(receiving(builder().deadLetters(dead::add)), topic, (outputs, delivery) -> {
      copy(outputs, delivery);
      if (delivery.message().value().equals("b")) {
        throw new RejectedMessageException("never");
      }
    });

    awaitCommitted(topic, 0, 3);
    assertThat(copied()).containsExactly("a", "c");
    assertThat(dead).singleElement().satisfies(it -> {
      assertThat(it.kind()).isEqualTo(DeadLetter.Kind.NOT_RETRYABLE);
      assertThat(it.inDoubt()).isFalse();
    });
  }

  @Test
  void a_failing_handler_that_is_not_in_doubt_uses_its_attempts() throws Exception {
    Broker.send(topic, 0, "a");
    List<DeadLetter<ConsumerRecord<String, String>>> dead = new CopyOnWriteArrayList<>();

    start(receiving(builder().deadLetters(dead::add)), topic, (outputs, delivery) -> {
      throw new IllegalStateException("always");
    });

    awaitCommitted(topic, 0, 1);
    assertThat(dead).singleElement().satisfies(it -> {
      assertThat(it.kind()).isEqualTo(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
      assertThat(it.inDoubt()).isFalse();
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_commit_without_an_answer_is_looked_up(boolean committed) throws Exception {
    Broker.send(topic, 0, "a", "b");
    AtomicInteger commits = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();

    Copying handler = (outputs, delivery) -> {
      calls.incrementAndGet();
      copy(outputs, delivery);
    };
    open(receiving(builder())
        .start(
            producing(topic),
            handler,
            properties -> producer(properties, (method, arguments, call) -> {
              if (method.equals("commitTransaction") && commits.incrementAndGet() == 1) {
                if (committed) {
                  call.proceed();
                }
                throw new KafkaException("the answer is lost");
              }
              return call.proceed();
            })));

    awaitCommitted(topic, 0, 2);
    assertThat(copied()).containsExactly("a", "b");
    await().until(() -> state("b") == MarkState.DONE);
    assertThat(calls).hasValue(committed ? 2 : 4);
  }

  @SuppressWarnings("unchecked") // a proxy of an interface with type parameters
  private static Producer<String, String> producer(Map<String, Object> properties, Hook hook) {
    return Hook.into(Producer.class, new KafkaProducer<>(properties), hook);
  }

  @Test
  void a_consumer_that_has_left_its_group_commits_nothing() throws Exception {
    Broker.send(topic, 0, "a");
    List<String> runs = new CopyOnWriteArrayList<>();
    Map<String, Object> consuming =
        Map.of("session.timeout.ms", "6000", "max.poll.interval.ms", "3000");
    start(receiving(builder(), consuming), topic + "-zombie", (outputs, delivery) -> {
      runs.add("zombie");
      copy(outputs, delivery);
      hold(delivery);
    });
    awaitRunning();
    await().until(() -> Broker.owners(group).isEmpty());

    start((outputs, delivery) -> {
      runs.add("successor");
      copy(outputs, delivery);
    });
    await().until(() -> !Broker.owners(group).isEmpty());
    goOn.countDown();

    awaitCommitted(topic, 0, 1);
    assertThat(copied()).containsExactly("a");
    assertThat(runs).startsWith("zombie").hasSize(2);
  }

  @Test
  void a_commit_that_stays_unknown_leaves_its_mark_to_the_next_receiver() throws Exception {
    Broker.send(topic, 0, "a");
    AtomicInteger producers = new AtomicInteger();
    CountDownLatch asked = new CountDownLatch(2);
    KafkaTransactionalReceiver first = open(receiving(super.builder().drainTimeout(Duration.ZERO))
        .start(producing(topic), this::copy, properties -> {
          if (producers.incrementAndGet() > 1) {
            asked.countDown();
            throw new KafkaException("no broker answers");
          }
          return producer(properties, (method, arguments, call) -> {
            Object nothing = call.proceed();
            if (method.equals("commitTransaction")) {
              throw new KafkaException("the answer is lost");
            }
            return nothing;
          });
        }));
    asked.await();
    first.close();
    assertThat(state("a")).isEqualTo(MarkState.PROCESSING);

    start(receiving(super.builder()), topic, this::copy); // it looks after the lease

    await().until(() -> state("a") == MarkState.DONE);
    assertThat(copied()).containsExactly("a");
  }

  @Test
  void closing_commits_the_running_handler_and_releases_the_rest() throws Exception {
    Broker.send(topic, 0, "a", "b");
    KafkaTransactionalReceiver receiver = start((outputs, delivery) -> {
      hold(delivery);
      copy(outputs, delivery);
    });
    awaitRunning();

    Thread closing = new Thread(receiver::close);
    closing.start();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    closing.join();

    assertThat(copied()).containsExactly("a");
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
    assertThat(state("b")).isEqualTo(MarkState.RETRY);
  }

  @Test
  void a_producer_that_was_fenced_is_replaced_without_using_an_attempt() throws Exception {
    Broker.send(topic, 0, "a");
    List<Integer> attempts = new CopyOnWriteArrayList<>();

    start((outputs, delivery) -> {
      attempts.add(delivery.attempt());
      if (attempts.size() == 1) {
        try (KafkaProducer<String, String> other = new KafkaProducer<>(producing(topic))) {
          other.initTransactions();
        }
      }
      copy(outputs, delivery);
    });

    awaitCommitted(topic, 0, 1);
    assertThat(copied()).containsExactly("a");
    assertThat(attempts).containsExactly(1, 1);
  }

  @Test
  void members_of_the_new_group_protocol_commit_transactions_too() throws Exception {
    Broker.send(topic, 0, "a", "a");

    start(receiving(builder(), Map.of("group.protocol", "consumer")), topic, this::copy);

    awaitCommitted(topic, 0, 2);
    assertThat(copied()).containsExactly("a");
  }

  @Test
  void a_record_sent_after_the_handler_has_ended_is_refused() throws Exception {
    Broker.send(topic, 0, "a");
    List<KafkaOutputs<String, String>> kept = new CopyOnWriteArrayList<>();

    start((outputs, delivery) -> kept.add(outputs));
    awaitCommitted(topic, 0, 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> kept.get(0).send(new ProducerRecord<>(output, "late")))
        .withMessageContaining("another transaction");
    assertThat(copied()).isEmpty();
  }

  @Test
  void settings_under_which_an_id_could_be_produced_twice_are_refused() {
    assertRefused(receiving(builder()), Broker.producer(), "transactional.id");
    assertRefused(
        receiving(builder()
            .onUnknownOutcome(
                UnknownOutcomePolicy.probe(delivery -> OutcomeProbe.Answer.NOT_APPLIED))),
        producing(topic),
        "onUnknownOutcome");
    assertRefused(receiving(builder().shadow()), producing(topic), "shadow");
  }

  private void assertRefused(
      KafkaTransactionalReceiver.Builder<String, String> builder,
      Map<String, Object> producing,
      String setting) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.start(producing, (outputs, delivery) -> {}))
        .withMessageContaining(setting);
  }
}
