package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.apache.rocketmq.client.apis.producer.ProducerBuilder;
import org.apache.rocketmq.client.java.exception.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GrpcDeadLetterTest extends WithProxy {

  private final String dead = topic + "-dead";

  private RocketMqGrpcDeadLetterPublisher publisher() throws Exception {
    createTopic(dead);
    createGroup(group + "-dead");
    return RocketMqGrpcDeadLetterPublisher.to(dead, producer());
  }

  private MessageView published() throws Exception {
    SimpleConsumer reader = open(simple(group + "-dead", dead, AWAIT, configuration()));
    MessageView letter = next(reader, Duration.ofSeconds(10));
    reader.ack(letter);
    return letter;
  }

  private static DeadLetter<MessageView> letter(MessageView message, String detail) {
    return new DeadLetter<>(
        message, "orders", "17", "here", 3, DeadLetter.Kind.ATTEMPTS_EXHAUSTED, detail, true);
  }

  @Test
  void a_failed_message_is_published_before_settlement_and_ack() throws Exception {
    create();
    RocketMqGrpcDeadLetterPublisher publisher = publisher();
    MessageKey key = MessageKey.of(group, topic + ":t/a");
    Supplier<Optional<Mark>> tagged = () -> store.find(List.of(key)).get(0);
    send(CLIENTS
        .newMessageBuilder()
        .setTopic(topic)
        .setKeys("a")
        .setTag("t")
        .addProperty("source", "shop")
        .setBody("body".getBytes(StandardCharsets.UTF_8))
        .build());

    open(receiving(open(builder()
            .deadLetters(letter -> {
              publisher.publish(letter);
              effects.add(tagged.get().map(Mark::state).orElseThrow().name());
            })
            .leased(store, delivery -> {
              throw new IllegalStateException("no stock");
            })))
        .start());

    MessageView letter = published();
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(tagged.get().map(Mark::state)).contains(MarkState.DEAD);
    assertThat(effects).containsExactly(MarkState.PROCESSING.name());
    assertThat(body(letter)).isEqualTo("body");
    assertThat(letter.getKeys()).containsExactly("a");
    assertThat(letter.getTag()).contains("t");
    assertThat(letter.getProperties())
        .containsEntry("source", "shop")
        .containsEntry("hapax-id", topic + ":t/a")
        .containsEntry("hapax-attempts", "3")
        .containsEntry("hapax-kind", "ATTEMPTS_EXHAUSTED")
        .containsEntry("hapax-in-doubt", "true")
        .containsEntry("hapax-topic", topic)
        .hasEntrySatisfying("hapax-coordinates", it -> assertThat(it).startsWith(topic + '/'))
        .hasEntrySatisfying(
            "hapax-detail", it -> assertThat(it).contains("IllegalStateException", "no stock"));
  }

  @Test
  void another_body_under_a_known_key_is_no_duplicate_but_a_conflict() throws Exception {
    create();
    RocketMqGrpcDeadLetterPublisher publisher = publisher();
    open(receiving(open(builder()
            .deadLetters(publisher)
            .leased(store, delivery -> effects.add(body(delivery.message())))))
        .start());
    send(keyed("17", "one"));
    await().atMost(BOUND).until(() -> isDone("17"));

    send(keyed("17", "two"));
    send(keyed("17", "one"));

    MessageView letter = published();
    assertThat(body(letter)).isEqualTo("two");
    assertThat(letter.getProperties())
        .containsEntry("hapax-kind", "CONFLICT")
        .containsEntry("hapax-id", topic + "/17");
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> { // a busy one may be deferred before
              assertThat(count(Outcome.DeadLettered.class)).isEqualTo(1);
              assertThat(count(Outcome.Duplicate.class)).isEqualTo(1);
            });
    assertThat(effects).containsExactly("one");
    assertThat(mark("17").map(Mark::state)).contains(MarkState.DONE);
  }

  private Message keyed(String key, String body) {
    return CLIENTS
        .newMessageBuilder()
        .setTopic(topic)
        .setKeys(key)
        .setBody(body.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  @Test
  void an_unpublished_dead_letter_is_neither_settled_nor_acknowledged() throws Exception {
    create();
    RocketMqGrpcDeadLetterPublisher publisher = publisher();
    RocketMqGrpcDeadLetterPublisher nowhere =
        RocketMqGrpcDeadLetterPublisher.to(topic + "-missing", producer());
    AtomicBoolean mended = new AtomicBoolean();
    send("a");

    open(receiving(open(builder()
            .deadLetters(letter -> (mended.get() ? publisher : nowhere).publish(letter))
            .leased(store, delivery -> {
              throw new RejectedMessageException("no such article");
            })))
        .start());
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.DEAD_LETTER_FAILED) > 0);
    assertThat(mark("a").map(Mark::state)).isNotEqualTo(Optional.of(MarkState.DEAD));
    mended.set(true);

    assertThat(body(published())).isEqualTo("a");
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(mark("a").map(Mark::state)).contains(MarkState.DEAD);
  }

  @Test
  void what_was_cut_off_a_message_is_still_said_when_it_dies_again() {
    MessageView died = Views.message(
        List.of("17"),
        Map.of("hapax-body-bytes", "5000", "hapax-left-out", "great,source", "source", "shop"),
        "the head");

    Map<String, String> properties =
        DeadLetterMessage.of(letter(died, "no stock"), Integer.MAX_VALUE).properties();

    assertThat(properties)
        .containsEntry("hapax-body-bytes", "5000")
        .containsEntry("hapax-left-out", "great")
        .containsEntry("source", "shop");
  }

  @Test
  void what_was_made_whole_again_is_not_called_cut() {
    MessageView mended = Views.message(
        List.of("17"), Map.of("hapax-body-bytes", "3", "hapax-left-out", "KEYS"), "all of it");

    assertThat(
            DeadLetterMessage.of(letter(mended, "no stock"), Integer.MAX_VALUE).properties())
        .doesNotContainKeys("hapax-body-bytes", "hapax-left-out");
  }

  @Test
  void a_record_has_at_most_128_properties() {
    Map<String, String> many = IntStream.range(0, 128)
        .boxed()
        .collect(Collectors.toMap(it -> "property-" + it, it -> "1"));
    MessageView grouped = Views.grouped("group-1", many, "");
    assertThat(grouped.getMessageGroup()).contains("group-1");

    Map<String, String> properties = DeadLetterMessage.of(failed(grouped), 0).properties();

    assertThat(properties)
        .hasSize(128)
        .containsKeys(
            "hapax-failed-at", "hapax-message-group", "hapax-body-bytes", "hapax-left-out");
  }

  /** A dead letter with an error that was thrown below Hapax. */
  private static DeadLetter<MessageView> failed(MessageView message) {
    Throwable error = new IllegalStateException("no stock");
    error.setStackTrace(new StackTraceElement[] {
      new StackTraceElement("com.shop.Billing", "charge", "Billing.java", 1),
      new StackTraceElement("io.hapax.internal.handler.Call", "run", "Call.java", 1)
    });
    return new DeadLetter<>(
        message,
        "orders",
        "17",
        "orders/17",
        1,
        DeadLetter.Kind.NOT_RETRYABLE,
        "no stock",
        true,
        Optional.of(error));
  }

  @Test
  void the_place_of_an_earlier_failure_is_forgotten() {
    MessageView died =
        Views.message(List.of("17"), Map.of("hapax-failed-at", "com.shop.Billing.charge"), "body");

    assertThat(DeadLetterMessage.of(letter(died, "no stock"), Integer.MAX_VALUE).properties())
        .doesNotContainKey("hapax-failed-at");
  }

  @Test
  void what_a_proxy_would_not_take_is_left_out_and_named() throws Exception {
    RocketMqGrpcDeadLetterPublisher publisher = publisher();
    MessageView strange = Views.message(
        List.of("17"),
        Map.of("small", "1", "great", "x".repeat(15 * 1_024), "ill", "line\nline"),
        "");

    publisher.publish(letter(strange, "no\nstock " + "\uD83D\uDCE6".repeat(1_000)));

    MessageView letter = published();
    assertThat(ClientMessages.body(letter)).containsExactly(0);
    assertThat(letter.getKeys()).containsExactly("17");
    assertThat(letter.getProperties())
        .containsEntry("small", "1")
        .containsEntry("hapax-body-bytes", "0")
        .doesNotContainKeys("great", "ill")
        .hasEntrySatisfying("hapax-left-out", it -> assertThat(it).contains("great", "ill"))
        .hasEntrySatisfying("hapax-detail", it -> assertThat(it).startsWith("no stock "));
  }

  @Test
  void of_a_body_above_the_limit_the_head_is_published_with_its_length() throws Exception {
    RocketMqGrpcDeadLetterPublisher publisher = publisher();
    int bytes = 5 << 20;

    publisher.publish(letter(Views.message(List.of(), Map.of(), "x".repeat(bytes)), "no stock"));

    MessageView letter = published();
    assertThat(letter.getBody().remaining()).isEqualTo(DeadLetterMessage.HEAD);
    assertThat(letter.getProperties()).containsEntry("hapax-body-bytes", Integer.toString(bytes));
  }

  @Test
  void a_topic_that_is_missing_or_blank_is_no_success() throws Exception {
    RocketMqGrpcDeadLetterPublisher nowhere =
        RocketMqGrpcDeadLetterPublisher.to(topic + "-missing", producer());

    assertThatThrownBy(
            () -> nowhere.publish(letter(Views.message(List.of(), Map.of(), "body"), "no stock")))
        .hasMessageContaining(topic + "-missing");
    assertThatThrownBy(() -> RocketMqGrpcDeadLetterPublisher.to(" ", producer()))
        .hasMessageContaining("topic is blank");
  }

  @Test
  void a_producer_to_which_a_missing_topic_was_named_does_not_start() {
    ProducerBuilder named =
        CLIENTS.newProducerBuilder().setClientConfiguration(configuration()).setTopics(dead);

    assertThatThrownBy(named::build)
        .hasRootCauseInstanceOf(NotFoundException.class)
        .rootCause()
        .hasMessageContaining(dead);
  }

  @Test
  void a_producer_without_session_is_named_with_what_to_do() {
    Producer given = (Producer) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {Producer.class}, (self, method, arguments) -> {
          throw new CancellationException("Task was cancelled."); // as the client says it
        });

    assertThatThrownBy(() -> RocketMqGrpcDeadLetterPublisher.to(dead, given)
            .publish(letter(Views.message(List.of(), Map.of(), "body"), "no stock")))
        .isInstanceOf(ClientException.class)
        .hasMessageContaining(dead)
        .hasMessageContaining("setTopics")
        .hasCauseInstanceOf(CancellationException.class);
  }
}
