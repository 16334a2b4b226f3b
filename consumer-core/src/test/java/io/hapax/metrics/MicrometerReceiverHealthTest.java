package io.hapax.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Incoming;
import io.hapax.health.Problem;
import io.hapax.mark.Bytes;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a receiver's health looks like on a dashboard. */
@Timeout(30)
class MicrometerReceiverHealthTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<IdempotentReceiver<?>> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(IdempotentReceiver::close);
  }

  private IdempotentReceiver<String> receiver(MessageHandler<String> handler) {
    return receiver(new InMemoryDedupStore(), handler);
  }

  private IdempotentReceiver<String> receiver(DedupStore store, MessageHandler<String> handler) {
    IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("billing")
        .id(text -> text.isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .leased(store, handler);
    opened.add(receiver);
    return receiver;
  }

  /** Answers whenever the test says so. */
  private static DedupStore answeringUnless(AtomicBoolean away) {
    InstantSource clock = () -> {
      if (away.get()) {
        throw new StoreException("connection refused");
      }
      return Instant.now();
    };
    return new InMemoryDedupStore(clock, Duration.ofDays(8));
  }

  private static List<Incoming<String>> message(String text) {
    return List.of(new Incoming<>(text, "p0", "p0@0", false));
  }

  private double problems(Problem.Kind kind) {
    return registry
        .get("hapax.receiver.problems")
        .tag("consumer", "billing")
        .tag("kind", kind.name().toLowerCase(Locale.ROOT))
        .gauge()
        .value();
  }

  private double gauge(String name) {
    return registry.get(name).tag("consumer", "billing").gauge().value();
  }

  @Test
  void a_receiver_that_has_done_nothing_yet_is_well() {
    MicrometerReceiverHealth.bind(registry, "billing", receiver(delivery -> {}));

    assertThat(gauge("hapax.store.reachable")).isEqualTo(1);
    assertThat(Problem.Kind.values()).allMatch(kind -> problems(kind) == 0);
    assertThat(gauge("hapax.settled.age")).isNaN();
    assertThat(gauge("hapax.unfinished.age")).isZero();
  }

  @Test
  void a_message_on_its_way_has_an_age_and_then_the_settlement_has_one() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch runs = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      runs.countDown();
      go.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    });
    MicrometerReceiverHealth.bind(registry, "billing", receiver);
    var submission = receiver.submit(message("a"), (index, outcome) -> {});
    assertThat(runs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(gauge("hapax.unfinished.age")).isPositive().isLessThan(30);

    go.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(gauge("hapax.settled.age")).isNotNegative().isLessThan(30);
  }

  @Test
  void a_store_that_does_not_answer_is_shown_until_it_answers_again() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = receiver(answeringUnless(away), delivery -> {});
    MicrometerReceiverHealth.bind(registry, "billing", receiver(delivery -> {}), receiver);
    var submission = receiver.submit(message("a"), (index, outcome) -> {});

    Awaitility.await().atMost(PATIENCE).until(() -> gauge("hapax.store.reachable") == 0);

    away.set(false);
    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(gauge("hapax.store.reachable")).isEqualTo(1);
  }

  @Test
  void of_several_receivers_the_worst_is_shown() throws Exception {
    IdempotentReceiver<String> stuck = receiver(delivery -> {});
    MicrometerReceiverHealth.bind(registry, "billing", receiver(delivery -> {}), stuck);

    stuck.receive(message(""), PATIENCE); // without an id, and without a place for dead letters

    assertThat(problems(Problem.Kind.MESSAGE_BLOCKED)).isEqualTo(1);
    assertThat(problems(Problem.Kind.STORE)).isZero();
    assertThat(gauge("hapax.store.reachable")).isEqualTo(1);
  }

  @Test
  void the_problems_of_an_adapter_are_counted_by_kind() {
    Problem stopped =
        new Problem(Problem.Kind.PARTITION_STOPPED, "orders-0", Instant.EPOCH, "unreadable");
    MicrometerReceiverHealth.bind(
        registry, "billing", () -> List.of(stopped, stopped), receiver(delivery -> {}));

    assertThat(problems(Problem.Kind.PARTITION_STOPPED)).isEqualTo(2);
    assertThat(problems(Problem.Kind.BROKER)).isZero();
  }

  private double shadow(String finding) {
    return registry.get("hapax.shadow.messages").tag("finding", finding).gauge().value();
  }

  @Test
  void the_findings_of_shadow_mode_are_shown_by_kind() throws Exception {
    IdempotentReceiver<String> observing = IdempotentReceiver.<String>builder("billing")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .shadow()
        .leased(new InMemoryDedupStore(), delivery -> {});
    opened.add(observing);
    MicrometerReceiverHealth.bind(registry, "billing", receiver(delivery -> {}), observing);
    assertThat(shadow("marked")).isZero();
    assertThat(gauge("hapax.shadow.retention")).isZero();

    observing.receive(message("a"), PATIENCE);
    Awaitility.await().atMost(PATIENCE).until(() -> shadow("marked") == 1);
    observing.receive(message("a"), PATIENCE);

    Awaitility.await().atMost(PATIENCE).until(() -> shadow("duplicate") == 1);
    assertThat(shadow("marked")).isEqualTo(1);
    assertThat(gauge("hapax.shadow.retention")).isPositive().isLessThan(30);
  }

  @Test
  void a_receiver_that_is_opened_again_takes_the_gauges_over() throws Exception {
    IdempotentReceiver<String> old = receiver(delivery -> {});
    MicrometerReceiverHealth.bind(registry, "billing", old);
    old.receive(message(""), PATIENCE);

    MicrometerReceiverHealth.bind(registry, "billing", receiver(delivery -> {}));

    assertThat(problems(Problem.Kind.MESSAGE_BLOCKED)).isZero();
  }
}
