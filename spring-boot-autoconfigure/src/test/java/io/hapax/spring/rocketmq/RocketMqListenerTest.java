package io.hapax.spring.rocketmq;

import static io.hapax.spring.rocketmq.Broker.BOUND;
import static io.hapax.spring.rocketmq.Broker.message;
import static io.hapax.spring.rocketmq.Broker.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.spring.rocketmq.Shop.Invoice;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** Listeners of rocketmq-spring on a real broker, with its own containers and conversion. */
@Timeout(120)
class RocketMqListenerTest {

  @AutoClose
  private static ConfigurableApplicationContext shop;

  @BeforeAll
  static void start() {
    Stream.of(Shop.ORDERS, Shop.INVOICES, Shop.PAYMENTS, Shop.STEPS, Shop.QUESTIONS)
        .forEach(Broker::createTopic);
    shop = Broker.application(
        Shop.class,
        "hapax.consumers.bank.attempts=2",
        "hapax.consumers.bank.first-backoff=50ms",
        "hapax.consumers.billing.dead-letters={topic}-dead",
        "hapax.consumers.workflow.first-backoff=50ms");
  }

  @Test
  void a_message_that_is_sent_twice_takes_effect_once() throws Exception {
    send(order("1", "first"));
    send(order("1", "first"));
    send(order("2", "second"));

    await().atMost(BOUND).until(() -> isDone("billing", "orders/1"));
    await().atMost(BOUND).until(() -> isDone("billing", "orders/2"));
    await().atMost(BOUND).until(() -> outcomes().count(Outcome.Duplicate.class) >= 1);
    assertThat(handledOrders()).containsOnlyOnce("first", "second");
  }

  @Test
  void a_message_without_its_id_goes_to_the_topic_of_dead_letters() throws Exception {
    send(message(Shop.ORDERS, "", "no id"));

    assertThat(Broker.read("orders-dead", 1)).singleElement().satisfies(letter -> {
      assertThat(Broker.body(letter)).isEqualTo("no id");
      assertThat(letter.getProperty("hapax-consumer")).isEqualTo("billing");
    });
    assertThat(handledOrders()).doesNotContain("no id");
  }

  @Test
  void an_expression_reads_the_id_in_the_converted_payload() throws Exception {
    send(Shop.INVOICES, "", "{\"number\":\"I-1\",\"amount\":5}");
    send(Shop.INVOICES, "", "{\"number\":\"I-1\",\"amount\":5}");
    send(Shop.INVOICES, "", "{\"number\":\"I-2\",\"amount\":7}");

    await().atMost(BOUND).until(() -> isDone("accounting", "invoices/I-2"));
    await().atMost(BOUND).until(() -> isDone("accounting", "invoices/I-1"));
    assertThat(shop.getBean(Shop.Invoices.class).handled)
        .containsOnlyOnce(new Invoice("I-1", 5), new Invoice("I-2", 7));
  }

  @Test
  void another_tag_under_a_known_id_is_no_duplicate_but_a_conflict() throws Exception {
    Message created = message(Shop.INVOICES, "", "{\"number\":\"I-3\",\"amount\":9}");
    created.setTags("CREATED");
    Message paid = message(Shop.INVOICES, "", "{\"number\":\"I-3\",\"amount\":9}");
    paid.setTags("PAID");
    send(created);
    await().atMost(BOUND).until(() -> isDone("accounting", "invoices/I-3"));
    send(paid);

    assertThat(Broker.read("%DLQ%accounting", 1)).singleElement().satisfies(letter -> {
      assertThat(letter.getTags()).isEqualTo("PAID");
      assertThat(letter.getProperty("hapax-kind")).isEqualTo("CONFLICT");
    });
    assertThat(shop.getBean(Shop.Invoices.class).handled).containsOnlyOnce(new Invoice("I-3", 9));
  }

  @Test
  void a_listener_reads_the_number_of_its_attempts_and_not_that_of_returns() throws Exception {
    send(Shop.PAYMENTS, "early", "100");
    await().atMost(BOUND).until(() -> isDone("bank", "payments/early")); // the group has formed
    claimedByAnother("bank", "payments/counted", Duration.ofSeconds(3));
    send(Shop.PAYMENTS, "counted", "100");

    await().atMost(BOUND).until(() -> isDone("bank", "payments/counted"));
    assertThat(outcomes().all)
        .anyMatch(it ->
            it instanceof Outcome.Deferred deferred && deferred.reason() == Outcome.Reason.BUSY);
    assertThat(shop.getBean(Shop.Payments.class).reconsumed)
        .contains("counted 0", "counted 1")
        .doesNotContain("counted 2");
  }

  @Test
  void a_message_that_fails_for_good_goes_to_the_groups_own_topic() throws Exception {
    send(Shop.PAYMENTS, "bad", "200");

    List<MessageExt> letters = Broker.read("%DLQ%bank", 1);
    assertThat(letters).singleElement().satisfies(letter -> {
      assertThat(letter.getKeys()).isEqualTo("bad");
      assertThat(letter.getProperty("hapax-attempts")).isEqualTo("2");
      assertThat(letter.getProperty("hapax-topic")).isEqualTo(Shop.PAYMENTS);
    });
    assertThat(shop.getBean(Shop.Payments.class).calls).containsEntry("bad", 2);
    await().atMost(BOUND).until(() -> isIn(MarkState.DEAD, "bank", "payments/bad"));
  }

  @Test
  void an_orderly_listener_holds_back_messages_behind_a_failed_one() throws Exception {
    for (String step : List.of("a", "b", "b", "c")) {
      send(Shop.STEPS, "", "{\"step\":\"" + step + "\"}");
    }

    await().atMost(BOUND).until(() -> isDone("workflow", "steps/c"));
    assertThat(shop.getBean(Shop.Steps.class).calls).containsExactly("a", "b", "b", "c");
  }

  @Test
  void a_request_gets_its_reply() throws Exception {
    CompletableFuture<String> reply = Broker.request(message(Shop.QUESTIONS, "q1", "really"));

    assertThat(reply.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("really!");
    await().atMost(BOUND).until(() -> isDone("answers", "questions/q1"));
  }

  private static Message order(String id, String text) {
    Message message = message(Shop.ORDERS, "", text);
    message.putUserProperty("order-id", id);
    return message;
  }

  private static List<String> handledOrders() {
    return shop.getBean(Shop.Orders.class).handled;
  }

  private static Shop.Outcomes outcomes() {
    return shop.getBean(Shop.Outcomes.class);
  }

  private static InMemoryDedupStore store() {
    return shop.getBean(InMemoryDedupStore.class);
  }

  private static boolean isDone(String consumer, String id) {
    return isIn(MarkState.DONE, consumer, id);
  }

  private static boolean isIn(MarkState state, String consumer, String id) {
    return store()
        .find(List.of(MessageKey.of(consumer, id)))
        .get(0)
        .filter(mark -> mark.state() == state)
        .isPresent();
  }

  private static void claimedByAnother(String consumer, String id, Duration lease) {
    store()
        .claim(
            List.of(new ClaimRequest(
                MessageKey.of(consumer, id),
                new Nonce(7, 7),
                Fingerprint.NONE,
                new Origin("another process", ""),
                new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
            lease);
  }
}
