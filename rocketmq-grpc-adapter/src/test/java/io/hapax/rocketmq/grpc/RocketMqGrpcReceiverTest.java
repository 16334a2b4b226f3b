package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.Delivery;
import io.hapax.Outcome;
import io.hapax.RetrySettings;
import io.hapax.servers.LocalRocketMq.MessageType;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RocketMqGrpcReceiverTest extends WithProxy {

  private static final Duration HIDDEN = Duration.ofSeconds(8);
  private static final Duration LONGER = HIDDEN.plus(Duration.ofSeconds(3));

  /** As {@code text@delivery}. */
  private final List<String> deliveries = new CopyOnWriteArrayList<>();

  private final List<Integer> attempts = new CopyOnWriteArrayList<>();
  private final List<String> acknowledged = new CopyOnWriteArrayList<>();

  private void record(Delivery<MessageView> delivery) {
    attempts.add(delivery.attempt());
    MessageView message = delivery.message();
    deliveries.add(body(message) + '@' + message.getDeliveryAttempt());
    effects.add(body(message));
  }

  private static String[] texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  @Test
  void what_is_received_at_once_is_claimed_at_once_and_a_duplicate_does_not_run() throws Exception {
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
    assertThat(receiver.trouble()).isEmpty();
  }

  @Test
  void a_duplicate_is_acknowledged_and_does_not_come_again() throws Exception {
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
  void a_message_that_failed_comes_again_after_its_backoff_and_is_tried_a_second_time()
      throws Exception {
    create();
    Duration backoff = Duration.ofSeconds(10); // what comes at once comes after five
    AtomicLong failed = new AtomicLong();
    AtomicLong waited = new AtomicLong();
    send("a");

    open(receiving(open(builder()
            .retry(new RetrySettings(3, backoff, backoff))
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
    assertThat(waited).hasValueGreaterThanOrEqualTo(backoff.toNanos());
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
  void a_message_that_another_handles_is_given_back_for_what_is_left_of_that_lease()
      throws Exception {
    create();
    open(receiving(open(builder().leased(store, this::record)))
        .invisibleDuration(BOUND.multipliedBy(2)) // not by waiting for this
        .start());
    send("first");
    await().atMost(BOUND).until(() -> isDone("first"));

    claimedByAnother("a", Duration.ofSeconds(10));
    send("a");

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(deliveries).containsExactly("first@1", "a@2");
    assertThat(attempts).containsExactly(1, 1); // the broker counts deliveries, Hapax attempts
  }

  @Test
  void a_handler_that_takes_longer_than_its_message_is_invisible_keeps_it_to_itself()
      throws Exception {
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
  void closing_gives_back_at_once_what_has_not_started_and_waits_for_what_has() throws Exception {
    create();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = untilTheEnd();
    RocketMqGrpcReceiver first =
        open(receiving(open(builder().workers(1).leased(store, delivery -> {
              running.countDown();
              goOn.await();
              record(delivery);
            })))
            .invisibleDuration(Duration.ofHours(1))
            .drainTimeout(BOUND)
            .start());
    send(texts(10));
    running.await();

    Thread closing = new Thread(first::close);
    closing.start();
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.ABANDONED) >= 1);
    goOn.countDown();
    closing.join(BOUND.toMillis());
    assertThat(effects).hasSize(1);
    await().atMost(BOUND).until(() -> threadsOf(group).isEmpty());
    open(receiving(open(builder().leased(store, this::record))).start());

    await().atMost(BOUND).until(() -> effects.size() >= 10);
    assertThat(effects).containsExactlyInAnyOrder(texts(10));
    assertThat(count(Outcome.Duplicate.class)).isZero(); // the first one was acknowledged
  }

  private static List<String> threadsOf(String group) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(Set.of(
            "hapax-grpc-" + group,
            "hapax-grpc-" + group + "-renewals",
            "hapax-grpc-" + group + "-closing")::contains)
        .toList();
  }

  @Test
  void while_the_store_is_away_nothing_runs_and_nothing_is_acknowledged() throws Exception {
    create();
    Marks marks = new Marks(store);
    RocketMqGrpcReceiver receiver =
        open(receiving(open(builder().leased(marks, this::record)), noting(simple()))
            .start());
    send("first");
    await().atMost(BOUND).until(() -> isDone("first"));
    int before = marks.claims.get();
    marks.cut = true;
    send("a", "b");

    await()
        .atMost(BOUND)
        .until(() -> marks.claims.get() > before + 1 && receiver.trouble().isPresent());
    assertThat(effects).containsExactly("first");
    assertThat(acknowledged).containsExactly("first, settled");
    marks.cut = false;

    await().atMost(BOUND).until(() -> isDone("a") && isDone("b"));
    await().atMost(BOUND).until(() -> receiver.trouble().isEmpty());
    assertThat(effects).containsExactlyInAnyOrder("first", "a", "b");
    await().atMost(BOUND).until(() -> acknowledged.size() == 3);
    assertThat(acknowledged).allMatch(text -> text.endsWith(", settled"));
  }

  /** Keeps what is acknowledged, and what its mark was by then. */
  private SimpleConsumer noting(SimpleConsumer consumer) {
    return (SimpleConsumer) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {SimpleConsumer.class},
        (self, method, arguments) -> {
          if (method.getName().equals("ackAsync")) {
            String text = body((MessageView) arguments[0]);
            acknowledged.add(text + (isDone(text) ? ", settled" : ", not settled"));
          }
          return method.invoke(consumer, arguments);
        });
  }

  @Test
  void messages_of_a_group_keep_their_order_although_one_has_to_be_tried_again() throws Exception {
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

  @Test
  void a_corrupted_message_never_runs_and_is_given_back() throws Exception {
    create();
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageViewImpl sound = (MessageViewImpl) next(consumer, BOUND.multipliedBy(2));
    Hand hand = new Hand(
        open(builder().leased(store, this::record)),
        consumer,
        new Visibility(BOUND, SECOND),
        BrokerAttempts.of(1_000),
        10);

    assertThat(hand.takeRoom(1, BOUND)).isEqualTo(1);
    hand.take(List.of(Views.corrupted(sound)));

    assertThat(hand.awaitEmpty(BOUND)).isTrue();
    MessageView again = next(consumer, BOUND);
    assertThat(again.getDeliveryAttempt()).isEqualTo(2);
    assertThat(effects).isEmpty();
    assertThat(outcomes).isEmpty();
    consumer.ack(again);
  }

  @Test
  void a_renewal_that_is_refused_takes_the_handle_from_no_acknowledgement() throws Exception {
    create();
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageView message = next(consumer, BOUND);
    Held held = new Held(message, "lane", 0);

    // The client forgets the handle of a message of which any renewal is refused.
    assertThat(held.renew(
            2, 1, () -> consumer.changeInvisibleDurationAsync(message, Duration.ofHours(13))))
        .failsWithin(BOUND);

    assertThat(held.leave(() -> consumer.ackAsync(message))).succeedsWithin(BOUND);
  }

  @Test
  void a_consumer_that_waits_for_shorter_than_the_proxy_allows_is_in_trouble() throws Exception {
    create();
    SimpleConsumer hasty = hasty();

    RocketMqGrpcReceiver receiver =
        open(RocketMqGrpcReceiver.start(open(builder().leased(store, this::record)), hasty));

    await()
        .atMost(BOUND)
        .until(() -> receiver.trouble().orElse("").contains("the consumer's awaitDuration"));
  }

  /** It may need more than one start: on a loaded machine its own time is short too. */
  private SimpleConsumer hasty() {
    AtomicReference<@Nullable SimpleConsumer> started = new AtomicReference<>();
    await().atMost(BOUND).ignoreExceptions().until(() -> {
      started.set(simple(group, topic, SECOND, configuration(endpoints(), SECOND.multipliedBy(3))));
      return true;
    });
    return Objects.requireNonNull(started.get());
  }

  @Test
  void a_receiver_that_may_drain_for_ever_closes() throws Exception {
    create();
    RocketMqGrpcReceiver receiver = receiving(open(builder().leased(store, this::record)))
        .drainTimeout(ChronoUnit.FOREVER.getDuration())
        .start();

    receiver.close();

    await().atMost(BOUND).until(() -> threadsOf(group).isEmpty());
  }

  @Test
  void a_reception_that_something_unforeseen_has_ended_is_a_trouble() throws Exception {
    create();
    SimpleConsumer consumer = simple();
    SimpleConsumer broken = (SimpleConsumer) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {SimpleConsumer.class},
        (self, method, arguments) -> method.getName().equals("receive")
            ? Collections.nCopies(100, Views.message(List.of("a"), Map.of(), "a")) // of 32
            : method.invoke(consumer, arguments));

    RocketMqGrpcReceiver receiver =
        open(RocketMqGrpcReceiver.start(open(builder().leased(store, this::record)), broken));

    await()
        .atMost(BOUND)
        .until(() -> receiver.trouble().orElse("").contains("nothing is received any more"));
  }

  @Test
  void closing_does_not_wait_for_a_consumer_whose_proxy_says_nothing_any_more() throws Exception {
    create();
    CountDownLatch silence = untilTheEnd();
    SimpleConsumer consumer = simple();
    SimpleConsumer waiting = (SimpleConsumer) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {SimpleConsumer.class},
        (self, method, arguments) -> {
          if (method.getName().equals("close")) {
            silence.await();
          }
          return method.invoke(consumer, arguments);
        });
    RocketMqGrpcReceiver receiver =
        open(RocketMqGrpcReceiver.start(open(builder().leased(store, this::record)), waiting));

    assertThat(CompletableFuture.runAsync(receiver::close)).succeedsWithin(BOUND);

    silence.countDown();
    await().atMost(BOUND).until(() -> threadsOf(group).isEmpty());
  }
}
