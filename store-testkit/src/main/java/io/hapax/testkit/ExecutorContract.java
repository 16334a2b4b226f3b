package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.Delivery;
import io.hapax.ExecutionResult;
import io.hapax.ExecutionResult.Conflict;
import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.IdempotentCall;
import io.hapax.IdempotentExecutor;
import io.hapax.LeaseSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an {@link IdempotentExecutor} on a store promises its callers, as a test to inherit. */
@Timeout(60)
public abstract class ExecutorContract extends FixtureContract<StoreFixture> {

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Fingerprint BODY = fingerprint("body");
  private static final Fingerprint OTHER_BODY = fingerprint("other");

  private final String name = "executor-" + UUID.randomUUID();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private IdempotentExecutor executor;
  private IdempotentExecutor twin;

  /** For subclasses. */
  protected ExecutorContract() {}

  @BeforeEach
  @Override
  final void opened() {
    executor = executor(store());
    twin = executor(other());
  }

  @Override
  final void closing() {
    threads.shutdownNow();
    executor.close();
    twin.close();
  }

  private IdempotentExecutor executor(DedupStore store) {
    return IdempotentExecutor.builder(name).lease(LeaseSettings.of(LEASE)).leased(store);
  }

  private static Fingerprint fingerprint(String body) {
    return Fingerprint.of(body.getBytes(StandardCharsets.UTF_8));
  }

  private IdempotentCall<RuntimeException> effect(String result) {
    return delivery -> {
      effects.add(result);
      return Bytes.utf8(result);
    };
  }

  private static ExecutionResult replayed(String result) {
    return new Replayed(Optional.of(Bytes.utf8(result)));
  }

  @Test
  void a_duplicate_gets_the_result_of_the_first_call() throws Exception {
    assertThat(executor.execute("a", BODY, effect("first")))
        .isEqualTo(new Executed(Bytes.utf8("first")));

    assertThat(executor.execute("a", BODY, effect("second"))).isEqualTo(replayed("first"));
    assertThat(twin.execute("a", BODY, effect("third"))).isEqualTo(replayed("first"));
    assertThat(twin.execute("a", OTHER_BODY, effect("fourth"))).isEqualTo(new Conflict());
    assertThat(effects).containsExactly("first");
  }

  @Test
  void the_longest_and_the_empty_result_are_replayed() throws Exception {
    String longest = "x".repeat(65_535);
    executor.execute("long", BODY, effect(longest));
    executor.execute("empty", BODY, effect(""));

    assertThat(twin.execute("long", BODY, effect("no"))).isEqualTo(replayed(longest));
    assertThat(twin.execute("empty", BODY, effect("no"))).isEqualTo(replayed(""));
  }

  @Test
  void a_call_that_runs_elsewhere_is_in_progress() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<ExecutionResult> first = threads.submit(() -> executor.execute("a", BODY, delivery -> {
      running.countDown();
      if (!end.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test did not end the call");
      }
      return effect("first").call(delivery);
    }));
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(executor.execute("a", BODY, effect("same"))).isInstanceOf(InProgress.class);
    assertThat(twin.execute("a", BODY, effect("other"))).isInstanceOf(InProgress.class);
    assertThat(twin.execute("a", OTHER_BODY, effect("body"))).isEqualTo(new Conflict());

    end.countDown();
    assertThat(first.get()).isEqualTo(new Executed(Bytes.utf8("first")));
    assertThat(twin.execute("a", BODY, effect("later"))).isEqualTo(replayed("first"));
    assertThat(effects).containsExactly("first");
  }

  @Test
  void a_call_that_failed_runs_again_at_once_and_elsewhere() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> executor.execute("a", BODY, delivery -> {
            throw new IllegalStateException("no stock");
          }))
          .hasMessage("no stock");
    }
    AtomicBoolean recovery = new AtomicBoolean();

    ExecutionResult answer = twin.execute("a", BODY, delivery -> {
      recovery.set(delivery.recovery());
      return Bytes.utf8("done");
    });

    assertThat(answer).isEqualTo(new Executed(Bytes.utf8("done")));
    assertThat(recovery).isTrue();
  }

  @Test
  void after_a_crash_the_next_call_runs_once_the_lease_has_expired() throws Exception {
    abandon("a");
    assertThat(executor.execute("a", BODY, effect("early"))).isInstanceOf(InProgress.class);
    advance(LEASE.plusSeconds(1));
    List<Delivery<Bytes>> deliveries = new CopyOnWriteArrayList<>();

    ExecutionResult answer = executor.execute("a", BODY, delivery -> {
      deliveries.add(delivery);
      return Bytes.utf8("done");
    });

    assertThat(answer).isEqualTo(new Executed(Bytes.utf8("done")));
    assertThat(deliveries).hasSize(1);
    assertThat(deliveries.get(0).recovery()).isTrue();
    assertThat(deliveries.get(0).previousOwner().orElseThrow().owner()).isEqualTo("died");
  }

  /** Leaves the claim of a process that died while its call ran. */
  private void abandon(String id) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of(name, id),
        new Nonce(11, 22),
        BODY,
        new Origin("died", ""),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    assertThat(other().claim(List.of(request), LEASE)).hasSize(1);
  }

  @Test
  void two_executors_that_race_for_an_id_have_one_effect() throws Exception {
    for (int round = 0; round < 50; round++) {
      String id = "race" + round;
      CyclicBarrier start = new CyclicBarrier(4);
      List<Future<ExecutionResult>> answers = new ArrayList<>();
      for (IdempotentExecutor one : List.of(executor, twin, executor, twin)) {
        answers.add(threads.submit(() -> {
          start.await(30, TimeUnit.SECONDS);
          return one.execute(id, BODY, effect(id));
        }));
      }
      int executed = 0;
      for (Future<ExecutionResult> answer : answers) {
        assertThat(answer.get()).isInstanceOfAny(Executed.class, Replayed.class, InProgress.class);
        executed += answer.get() instanceof Executed ? 1 : 0;
      }
      assertThat(executed).isEqualTo(1);
      assertThat(executor.execute(id, BODY, effect("again"))).isEqualTo(replayed(id));
    }
    assertThat(effects).hasSize(50).doesNotHaveDuplicates();
  }
}
