package io.hapax.console.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.DeadLetter;
import io.hapax.console.figures.History;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.job.Audits;
import io.hapax.console.kafka.OrderMessages;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.IdView;
import io.hapax.kafka.KafkaIds;
import io.hapax.mark.Bytes;
import io.hapax.operations.Broker;
import io.hapax.operations.text.TextExceptions;
import io.hapax.store.InMemoryDedupStore;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is known without the dead-letter topic, and which callers wait for it. */
@Timeout(60)
class LettersTest {

  private static final String CONSUMER = "billing";

  private final InMemoryDedupStore store = new InMemoryDedupStore();
  private Instant now = Instant.EPOCH;

  private Deployment withLetters(String letters) {
    Deployment orders = new OrderTopics(CONSUMER).deployment(store);
    return orders.with(orders.requireBroker(), orders.topic(), orders.group(), letters);
  }

  private Letters letters(Deployment deployment) {
    return new Letters(deployment, new Marks(deployment, false), () -> now);
  }

  private OneId oneId(Deployment deployment, Letters letters) {
    return new OneId(
        deployment,
        new Marks(deployment, false),
        letters,
        new Audits(),
        new History(new StoreFigures(deployment, () -> now), () -> now),
        Optional.empty());
  }

  @Test
  void a_dead_letter_topic_that_does_not_exist_yet_hides_no_mark_and_no_conflicts()
      throws Exception {
    Deployment deployment = withLetters("not-created");
    Letters letters = letters(deployment);
    io.hapax.console.Marks.dead(store, "broken", "no account");

    IdView.Result found = oneId(deployment, letters).view("broken").results().get(0);
    assertThat(found.mark()).isPresent();
    assertThat(found.answer().letters().failure()).hasToString("topic not-created does not exist");
    Findings findings =
        new Findings(deployment, new StoreFigures(deployment, () -> now), new Audits(), letters);
    assertThat(findings.conflicts().failure()).hasToString("topic not-created does not exist");
  }

  @Test
  void a_record_whose_id_is_elsewhere_may_be_that_of_the_message_it_names() throws Exception {
    OrderTopics topics = new OrderTopics(CONSUMER);
    topics.deadLetter(topics.publish("a"), "no account");

    assertThat(areAll(topics.deployment(store), "a")).isTrue();
    Deployment without = topics.deployment(store, KafkaIds.header("other-id"));
    assertThat(areAll(without, "a")).isFalse();
    assertThat(areAll(without, "b")).isTrue();
    assertThat(letters(without).view(Optional.empty(), Optional.empty()).complete())
        .as("all records were read")
        .isTrue();
    Deployment other = topics.deployment(store, record -> Optional.of(Bytes.utf8("b")));
    assertThat(areAll(other, "a")).isFalse();
  }

  @Test
  void a_record_of_a_message_without_an_id_is_that_of_no_mark() throws Exception {
    OrderTopics topics = new OrderTopics(CONSUMER);
    Deployment deployment = topics.deployment(store);
    topics.deadLetter(topics.publish(""), DeadLetter.Kind.MISSING_ID, "no usable id");
    assertThat(areAll(deployment, "a")).isTrue();

    topics.deadLetter(topics.publish(""), "it names no message");
    assertThat(areAll(deployment, "a")).isFalse();
  }

  /** Returns whether there can be no other record of a message than those that are found. */
  private boolean areAll(Deployment deployment, String id) throws Exception {
    return letters(deployment).find(Bytes.utf8(id), deployment.letters()).complete();
  }

  @Test
  void the_broker_is_asked_again_for_a_missing_topic_after_some_seconds_only() throws Exception {
    Deployment deployment = withLetters("created-later");
    Letters letters = letters(deployment);
    assertThatThrownBy(() -> letters.view(Optional.empty(), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);

    OrderTopics.KAFKA.createTopic("created-later", 1);
    assertThatThrownBy(() -> letters.view(Optional.empty(), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    now = now.plusSeconds(10);
    assertThat(letters.view(Optional.empty(), Optional.empty()).groups()).isEmpty();
  }

  @Test
  void while_a_broker_hangs_one_caller_waits_for_it_and_an_action_does_not() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (ServerSocket hanging = new ServerSocket(0)) {
      Broker broker = OrderMessages.silent(hanging.getLocalPort(), CONSUMER, Duration.ofSeconds(9));
      Letters letters =
          letters(Deployment.of(CONSUMER, store).with(broker, "orders", "billing", "orders.dead"));
      CompletionService<String> callers = new ExecutorCompletionService<>(threads);
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(callers.submit(() -> failure(letters)));
      }
      for (int i = 0; i < 3; i++) {
        assertThat(callers.take().get()).contains("has not answered yet");
      }
      letters.forget();
      assertThat(calls.stream().filter(it -> !it.isDone())).hasSize(1);
      assertThat(callers.take().get()).doesNotContain("has not answered yet");
    } finally {
      threads.shutdownNow();
    }
  }

  private static String failure(Letters letters) {
    try {
      letters.view(Optional.empty(), Optional.empty());
      return "";
    } catch (Exception e) {
      return TextExceptions.text(e).toString();
    }
  }
}
