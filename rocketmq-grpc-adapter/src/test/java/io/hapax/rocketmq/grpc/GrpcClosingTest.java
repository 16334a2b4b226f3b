package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.junit.jupiter.api.Test;

/** Closing a receiver comes to an end, and gives back what has not run. */
class GrpcClosingTest extends WithDeliveries {

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
    await()
        .atMost(BOUND)
        .until(() ->
            Arrays.stream(texts(10)).filter(text -> mark(text).isPresent()).count() > 1);

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

  private static List<String> threadsOf(String group) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(Set.of(
            "hapax-grpc-" + group,
            "hapax-grpc-" + group + "-renewals",
            "hapax-grpc-" + group + "-closing")::contains)
        .toList();
  }
}
