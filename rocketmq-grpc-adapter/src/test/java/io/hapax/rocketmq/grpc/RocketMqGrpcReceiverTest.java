package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.servers.LocalRocketMq.MessageType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.junit.jupiter.api.Test;

/** What becomes of a message that a simple consumer receives. */
class RocketMqGrpcReceiverTest extends WithDeliveries {

  private static final Duration HIDDEN = Duration.ofSeconds(5);
  private static final Duration LONGER = HIDDEN.plus(SECOND);

  /** Longer than a message takes that is given back for the shortest time. */
  private static final Duration WAIT = Duration.ofSeconds(6);

  @Test
  void a_received_batch_is_claimed_at_once_and_duplicates_do_not_run() throws Exception {
    create();
    String[] texts = texts(60);
    send(texts);
    send("m0", "m1");
    Marks marks = new Marks(store);

    RocketMqGrpcReceiver receiver =
        open(receiving(open(builder().leased(marks, this::record))).start());

    await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 60);
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 2);
    assertThat(effects).containsExactlyInAnyOrder(texts);
    assertThat(marks.claims).hasValueLessThan(30);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void two_members_that_get_the_same_messages_run_each_of_them_once() throws Exception {
    create();
    String[] texts = texts(20);
    for (Marks marks : List.of(new Marks(store), new Marks(store))) {
      open(receiving(open(builder().leased(marks, this::record))).start());
    }

    send(texts);
    send(texts);

    await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 20);
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 20);
    assertThat(effects).containsExactlyInAnyOrder(texts);
  }

  @Test
  void a_duplicate_is_acknowledged_and_is_not_redelivered() throws Exception {
    create();
    SimpleConsumer clock = clock();
    send("a", "a");

    open(receiving(open(builder().leased(store, this::record)))
        .invisibleDuration(HIDDEN)
        .start());

    await().atMost(BOUND).until(() -> outcomes.size() == 2);
    awaitDelivery(clock, 2);
    assertThat(effects).containsExactly("a");
    assertThat(outcomes).hasSize(2);
    assertThat(count(Outcome.Duplicate.class)).isEqualTo(1);
  }

  @Test
  void a_failed_message_is_tried_again_after_its_backoff() throws Exception {
    create();
    AtomicLong failed = new AtomicLong();
    AtomicLong waited = new AtomicLong();
    send("a");

    open(receiving(open(builder()
            .retry(new RetrySettings(3, WAIT, WAIT))
            .leased(store, delivery -> {
              record(delivery);
              if (delivery.attempt() == 1) {
                failed.set(System.nanoTime());
                throw new IllegalStateException("as the test wants it");
              }
              waited.set(System.nanoTime() - failed.get());
            })))
        .invisibleDuration(BOUND.multipliedBy(2)) // not by waiting for this
        .start());

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("a@1", "a@2");
    assertThat(attempts).containsExactly(1, 2);
    assertThat(waited).hasValueGreaterThanOrEqualTo(WAIT.toNanos());
  }

  @Test
  void a_message_without_an_id_is_a_dead_letter_and_acknowledged() throws Exception {
    create();
    SimpleConsumer clock = clock();
    List<DeadLetter<MessageView>> letters = new CopyOnWriteArrayList<>();
    send("a");

    open(receiving(open(builder()
            .id(RocketMqGrpcIds.property("order"))
            .deadLetters(letters::add)
            .leased(store, this::record)))
        .invisibleDuration(HIDDEN)
        .start());

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    awaitDelivery(clock, 2);
    assertThat(letters).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.MISSING_ID);
    assertThat(effects).isEmpty();
    assertThat(outcomes).hasSize(1);
  }

  @Test
  void a_busy_message_is_given_back_for_the_rest_of_its_lease() throws Exception {
    create();
    open(receiving(open(builder().leased(store, this::record)))
        .invisibleDuration(BOUND.multipliedBy(2)) // not by waiting for this
        .start());
    send("first");
    await().atMost(BOUND).until(() -> isDone("first"));

    claimedByAnother("a", WAIT.multipliedBy(3)); // longer than its first delivery may take
    send("a");

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("first@1", "a@2");
    assertThat(attempts).containsExactly(1, 1); // the broker counts deliveries, Hapax attempts
  }

  @Test
  void a_handler_longer_than_the_invisible_duration_keeps_its_message() throws Exception {
    create();
    SimpleConsumer clock = clock();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = untilTheEnd();
    for (Marks marks : List.of(new Marks(store), new Marks(store))) {
      open(receiving(open(builder().leased(marks, delivery -> {
            running.countDown();
            goOn.await();
            record(delivery);
          })))
          .invisibleDuration(HIDDEN)
          .start());
    }
    send("a");
    running.await();

    awaitDelivery(clock, 2);
    assertThat(outcomes).isEmpty();
    goOn.countDown();
    await().atMost(BOUND).until(() -> isDone("a"));
    awaitDelivery(clock, 3);

    assertThat(deliveries).containsExactly("a@1");
    assertThat(outcomes).hasSize(1); // it was acknowledged under the handle of its last renewal
  }

  private static void awaitDelivery(SimpleConsumer clock, int attempt) throws Exception {
    while (next(clock, LONGER).getDeliveryAttempt() < attempt) {
      // the broker counts
    }
  }

  @Test
  void messages_of_a_group_keep_their_order_through_a_retry() throws Exception {
    create(1_000, MessageType.FIFO);
    for (String text : texts(5)) {
      send(CLIENTS
          .newMessageBuilder()
          .setTopic(topic)
          .setMessageGroup("g")
          .setKeys(text)
          .setBody(text.getBytes(StandardCharsets.UTF_8))
          .build());
    }

    open(receiving(open(builder().leased(store, delivery -> {
          if (body(delivery.message()).equals("m1") && delivery.attempt() == 1) {
            throw new IllegalStateException("as the test wants it");
          }
          record(delivery);
        })))
        .start());

    await().atMost(BOUND).until(() -> effects.size() >= 5);
    assertThat(effects).containsExactly(texts(5));
  }
}
