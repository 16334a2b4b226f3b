package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.Outcome;
import io.hapax.servers.LocalRocketMq.MessageType;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class IdempotentMessageListenerTest extends WithProxy {

  /** As {@code text@delivery}. */
  private final List<String> deliveries = new CopyOnWriteArrayList<>();

  private void record(Delivery<MessageView> delivery) {
    MessageView message = delivery.message();
    deliveries.add(body(message) + '@' + message.getDeliveryAttempt());
    effects.add(body(message));
  }

  private IdempotentMessageListener.Builder listener(MessageHandler<MessageView> handler) {
    return IdempotentMessageListener.builder(open(builder().leased(store, handler)))
        .retryMaxTimes(1_000);
  }

  @Test
  void a_wrapped_listener_gets_each_message_once_however_often_it_was_sent() throws Exception {
    create();
    send("a", "a", "b");
    IdempotentMessageListener listener = open(IdempotentMessageListener.wrap(group, store, it -> {
      effects.add(body(it));
      return ConsumeResult.SUCCESS;
    }));

    push(listener);

    await().atMost(BOUND).until(() -> isDone("a") && isDone("b"));
    send("a", "c");
    await().atMost(BOUND).until(() -> isDone("c"));
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(listener.trouble()).isEmpty();
  }

  @Test
  void a_message_may_be_held_for_ever() {
    IdempotentMessageListener listener =
        listener(this::record).holdLimit(ChronoUnit.FOREVER.getDuration()).build();

    assertThat(listener.consume(Views.message(List.of("a"), Map.of(), "a")))
        .isEqualTo(ConsumeResult.SUCCESS);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_message_that_failed_comes_again_from_the_broker_and_succeeds() throws Exception {
    create();
    send("a");

    push(listener(delivery -> {
          record(delivery);
          if (delivery.attempt() == 1) {
            throw new IllegalStateException("as the test wants it");
          }
        })
        .holdLimit(Duration.ZERO)
        .build());

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("a@1", "a@2");
  }

  @Test
  void a_message_that_another_handles_is_kept_in_hand_and_costs_no_delivery() throws Exception {
    create();
    push(listener(this::record).holdLimit(BOUND).build());
    send("first");
    await().atMost(BOUND).until(() -> isDone("first"));

    claimedByAnother("a", Duration.ofSeconds(3));
    send("a");

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("first@1", "a@1");
  }

  @Test
  void success_is_answered_only_after_the_message_is_settled() throws Exception {
    create();
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageView message = next(consumer, BOUND);
    Marks marks = new Marks(store);
    IdempotentMessageListener listener =
        IdempotentMessageListener.of(open(builder().leased(marks, delivery -> {
          record(delivery);
          marks.cut = true;
        })));
    CompletableFuture<ConsumeResult> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> answer.complete(listener.consume(message)));
    thread.start();

    await().atMost(BOUND).until(() -> marks.settlements.get() > 1);
    assertThat(answer).isNotDone();
    marks.cut = false;

    assertThat(answer).succeedsWithin(BOUND).isEqualTo(ConsumeResult.SUCCESS);
    assertThat(isDone("a")).isTrue();
    assertThat(effects).containsExactly("a");
    consumer.ack(message);
  }

  @Test
  void a_handler_that_takes_longer_than_the_proxy_hides_its_message_keeps_it_to_itself()
      throws Exception {
    create();
    SimpleConsumer clock = clock();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = untilTheEnd();
    for (Marks marks : List.of(new Marks(store), new Marks(store))) {
      push(IdempotentMessageListener.of(open(builder().leased(marks, delivery -> {
        running.countDown();
        goOn.await();
        record(delivery);
      }))));
    }
    send("a");
    running.await();

    next(clock, PUSHED.plus(LEASE));
    clock.ack(next(clock, BOUND)); // as much later
    assertThat(outcomes).isEmpty(); // nor was any of them told that it is busy
    goOn.countDown();

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("a@1");
  }

  @Test
  void two_members_that_get_the_same_messages_run_each_of_them_once() throws Exception {
    create();
    String[] texts = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
    push(listener(this::record).build());
    push(IdempotentMessageListener.builder(open(builder().leased(new Marks(store), this::record)))
        .retryMaxTimes(1_000)
        .build());

    send(texts);
    send(texts);

    await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 20);
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 20);
    assertThat(effects).containsExactlyInAnyOrder(texts);
  }

  @Test
  void while_the_store_is_away_nothing_runs_and_nothing_is_acknowledged() throws Exception {
    create();
    Marks marks = new Marks(store);
    IdempotentMessageListener listener = IdempotentMessageListener.builder(
            open(builder().leased(marks, this::record)))
        .retryMaxTimes(1_000)
        .holdLimit(BOUND.multipliedBy(2))
        .build();
    push(listener);
    send("first");
    await().atMost(BOUND).until(() -> isDone("first"));

    int before = marks.claims.get();
    marks.cut = true;
    send("a");
    await()
        .atMost(BOUND)
        .until(() -> marks.claims.get() > before + 1 && listener.trouble().isPresent());
    assertThat(effects).containsExactly("first");
    marks.cut = false;

    await().atMost(BOUND).until(() -> isDone("a"));
    await().atMost(BOUND).until(() -> listener.trouble().isEmpty());
    assertThat(deliveries).containsExactly("first@1", "a@1"); // nothing was given back meanwhile
  }

  @Test
  void a_listener_that_closes_gives_back_what_has_not_run() throws Exception {
    create();
    claimedByAnother("a", Duration.ofHours(1));
    send("a");
    IdempotentMessageListener first =
        listener(this::record).holdLimit(Duration.ofHours(2)).build();
    push(first);
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) == 1);

    first.close();
    skew.set(Duration.ofHours(2));
    push(listener(this::record).build());

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(effects).containsExactly("a");
    assertThat(deliveries).doesNotContain("a@1");
  }

  @Test
  void a_thread_that_is_interrupted_answers_failure_and_stays_interrupted() throws Exception {
    create();
    claimedByAnother("a", Duration.ofHours(1));
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageView message = next(consumer, BOUND);
    IdempotentMessageListener listener =
        listener(this::record).holdLimit(Duration.ofHours(2)).build();
    AtomicReference<String> end = new AtomicReference<>("");
    Thread thread = new Thread(
        () -> end.set(listener.consume(message) + " " + Thread.currentThread().isInterrupted()));
    thread.start();
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) == 1);

    thread.interrupt();
    thread.join(BOUND.toMillis());

    assertThat(end).hasValue(ConsumeResult.FAILURE + " true");
    consumer.ack(message);
  }

  @Test
  void a_closed_receiver_is_no_success() throws Exception {
    create();
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageView message = next(consumer, BOUND);
    IdempotentMessageListener listener =
        IdempotentMessageListener.wrap(group, store, it -> ConsumeResult.SUCCESS);

    listener.close();

    assertThat(listener.consume(message)).isEqualTo(ConsumeResult.FAILURE);
    assertThat(mark("a")).isEmpty();
    consumer.ack(message);
  }

  @Test
  void a_running_handler_is_waited_for_beyond_the_hold_limit() throws Exception {
    create();
    send("a");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = untilTheEnd();
    IdempotentMessageListener listener = listener(delivery -> {
          running.countDown();
          goOn.await();
          record(delivery);
        })
        .holdLimit(Duration.ZERO)
        .build();
    push(listener);
    running.await();

    listener.close();
    goOn.countDown();

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("a@1");
  }

  @Test
  void the_last_deliveries_that_the_broker_allows_are_told_until_the_message_is_settled()
      throws Exception {
    create(1_000, MessageType.NORMAL);
    claimedByAnother("a", Duration.ofHours(1));
    send("a");
    IdempotentMessageListener listener = listener(this::record)
        .holdLimit(Duration.ZERO)
        .retryMaxTimes(4) // five deliveries, so the third is one of the last three
        .build();

    push(listener);

    await()
        .atMost(BOUND)
        .until(() -> listener.trouble().orElse("").contains("was delivered 3 times; after 5"));
    skew.set(Duration.ofHours(2));
    await().atMost(BOUND).until(() -> isDone("a"));
    await().atMost(BOUND).until(() -> listener.trouble().isEmpty());
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_group_that_gives_up_before_the_receiver_does_is_refused() {
    assertThatThrownBy(() -> listener(this::record).retryMaxTimes(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "retryMaxTimes is 2 but must be at least the receiver's maxAttempts 3");
  }
}
