package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.health.Problems;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a receiver does while its store, its proxy or a message lets it down. */
class GrpcFaultsTest extends WithDeliveries {

  private final List<String> acknowledged = new CopyOnWriteArrayList<>();

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
        .until(() -> marks.claims.get() > before + 1 && !receiver.problems().isEmpty());
    assertThat(effects).containsExactly("first");
    assertThat(acknowledged).containsExactly("first, settled");
    marks.cut = false;

    await().atMost(BOUND).until(() -> isDone("a") && isDone("b"));
    await().atMost(BOUND).until(() -> receiver.problems().isEmpty());
    assertThat(effects).containsExactlyInAnyOrder("first", "a", "b");
    await().atMost(BOUND).until(() -> acknowledged.size() == 3);
    assertThat(acknowledged).allMatch(text -> text.endsWith(", settled"));
  }

  @Test
  void a_message_is_acknowledged_only_after_it_is_settled() throws Exception {
    create();
    send("a");
    Marks marks = new Marks(store);
    open(receiving(
            open(builder().leased(marks, delivery -> {
              record(delivery);
              marks.cut = true;
            })),
            noting(simple()))
        .start());

    await().atMost(BOUND).until(() -> marks.settlements.get() > 1);
    assertThat(acknowledged).isEmpty();
    marks.cut = false;

    await().atMost(BOUND).until(() -> acknowledged.size() == 1);
    assertThat(acknowledged).containsExactly("a, settled");
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_closed_receiver_acknowledges_nothing() throws Exception {
    create();
    IdempotentReceiver<MessageView> closed = open(builder().leased(store, this::record));
    RocketMqGrpcReceiver receiver =
        open(receiving(closed, noting(simple())).drainTimeout(SECOND).start());
    closed.close();

    send("a");

    await()
        .atMost(BOUND)
        .until(() -> receiver.problems().toString().contains("nothing is received any more"));
    assertThat(acknowledged).isEmpty();
    assertThat(mark("a")).isEmpty();
    assertThat(effects).isEmpty();
  }

  @Test
  void the_last_allowed_deliveries_are_a_problem_until_settlement() throws Exception {
    create();
    CountDownLatch goOn = untilTheEnd();
    send("a");

    RocketMqGrpcReceiver receiver = open(receiving(open(builder().leased(store, delivery -> {
          if (delivery.message().getDeliveryAttempt() < 3) {
            throw new IllegalStateException("as the test wants it");
          }
          goOn.await();
          record(delivery);
        })))
        .retryMaxTimes(4) // five deliveries, so the third is one of the last three
        .start());

    await()
        .atMost(BOUND)
        .until(() -> receiver.problems().toString().contains("was delivered 3 times; after 5"));
    goOn.countDown();
    await().atMost(BOUND).until(() -> isDone("a"));
    await().atMost(BOUND).until(() -> receiver.problems().isEmpty());
    assertThat(deliveries).containsExactly("a@3");
  }

  @Test
  void the_last_deliveries_do_not_hide_that_the_store_is_away() throws Exception {
    create();
    Marks marks = new Marks(store);
    marks.cut = true;
    RetrySettings once = new RetrySettings(1, Duration.ofMillis(50), Duration.ofMillis(100));

    RocketMqGrpcReceiver receiver =
        open(receiving(open(builder().retry(once).leased(marks, this::record)))
            .retryMaxTimes(1)
            .start());
    send("a");

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(receiver.problems().toString())
            .contains("raise the group's retryMaxTimes", "the way to the marks is cut"));
    marks.cut = false;
    await().atMost(BOUND).until(() -> isDone("a"));
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
  void a_corrupted_message_never_runs_and_is_given_back() throws Exception {
    create();
    send("a");
    SimpleConsumer consumer = open(simple());
    MessageViewImpl sound = (MessageViewImpl) next(consumer, BOUND.multipliedBy(2));
    InFlightDeliveries inFlight = new InFlightDeliveries(
        open(builder().leased(store, this::record)),
        consumer,
        new Visibility(BOUND, SECOND),
        BrokerAttempts.of(1_000, new Problems(Instant::now)),
        10);

    assertThat(inFlight.takeRoom(1, BOUND)).isEqualTo(1);
    inFlight.take(List.of(Views.corrupted(sound)));

    assertThat(inFlight.awaitEmpty(BOUND)).isTrue();
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
    HeldMessage held = new HeldMessage(message, "lane", 0);

    // The client forgets the handle of a message of which any renewal is refused.
    assertThat(held.renew(
            2, 1, () -> consumer.changeInvisibleDurationAsync(message, Duration.ofHours(13))))
        .failsWithin(BOUND);

    assertThat(held.leave(() -> consumer.ackAsync(message))).succeedsWithin(BOUND);
  }

  @Test
  void an_await_duration_below_the_limit_of_the_proxy_is_a_problem() throws Exception {
    create();
    SimpleConsumer hasty = hasty();

    RocketMqGrpcReceiver receiver =
        open(RocketMqGrpcReceiver.start(open(builder().leased(store, this::record)), hasty));

    await()
        .atMost(BOUND)
        .until(() -> receiver.problems().toString().contains("the consumer's awaitDuration"));
  }

  /**
   * The proxy compares its minimum with the sum of both durations. The consumer may need more than
   * one start, because the second one also limits its start.
   */
  private SimpleConsumer hasty() {
    AtomicReference<@Nullable SimpleConsumer> started = new AtomicReference<>();
    await().atMost(BOUND).ignoreExceptions().until(() -> {
      started.set(simple(
          group, topic, Duration.ofMillis(200), configuration(endpoints(), Duration.ofSeconds(2))));
      return true;
    });
    return Objects.requireNonNull(started.get());
  }

  @Test
  void a_reception_that_an_unexpected_error_has_ended_is_a_problem() throws Exception {
    create();
    SimpleConsumer consumer = simple();
    SimpleConsumer broken = (SimpleConsumer) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {SimpleConsumer.class},
        (self, method, arguments) -> method.getName().equals("receive")
            ? Collections.nCopies(100, Views.message(List.of("a"), Map.of(), "a")) // of 32
            : method.invoke(consumer, arguments));

    RocketMqGrpcReceiver receiver =
        open(receiving(open(builder().leased(store, this::record)), broken)
            .drainTimeout(SECOND)
            .start());

    await()
        .atMost(BOUND)
        .until(() -> receiver.problems().toString().contains("nothing is received any more"));
  }
}
