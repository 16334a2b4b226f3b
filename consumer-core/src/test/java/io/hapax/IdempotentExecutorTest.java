package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.ExecutionResult.Conflict;
import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One effect for each id, and the answers of its duplicates. */
class IdempotentExecutorTest extends ExecutorFixture {

  private final IdempotentExecutor executor = executor();

  @Test
  void a_call_that_a_precondition_refuses_does_not_run_and_leaves_no_mark() throws Exception {
    AtomicBoolean refuses = new AtomicBoolean(true);
    IdempotentExecutor guarded = open(executors()
        .precondition(() -> {
          if (refuses.get()) {
            throw new IllegalStateException("not here");
          }
        })
        .precondition(() -> {})
        .leased(store));

    assertThatThrownBy(() -> guarded.execute("a", BODY, effect("first"))).hasMessage("not here");
    assertThat(effects).isEmpty();
    refuses.set(false);
    assertThat(guarded.execute("a", BODY, effect("second")))
        .isEqualTo(new Executed(text("second")));
  }

  @Test
  void a_precondition_can_be_added_to_an_executor_that_is_in_use() throws Exception {
    executor.execute("a", BODY, effect("first"));
    executor.addPrecondition(() -> {
      throw new IllegalStateException("not here");
    });

    assertThatThrownBy(() -> executor.execute("b", BODY, effect("second"))).hasMessage("not here");
    assertThat(effects).containsExactly("a first");
  }

  @Test
  void a_known_id_with_another_fingerprint_is_a_conflict() throws Exception {
    executor.execute("a", BODY, effect("first"));

    assertThat(executor.execute("a", OTHER_BODY, effect("second"))).isEqualTo(new Conflict());
    assertThat(executor.execute("a", Fingerprint.NONE, effect("third")))
        .isEqualTo(new Replayed(Optional.of(text("first"))));
    assertThat(executor.problems()).isEmpty();
    assertThat(effects).containsExactly("a first");
  }

  @Test
  void a_call_runs_on_the_calling_thread_with_its_attempt() throws Exception {
    List<Thread> ran = new ArrayList<>();
    List<Delivery<Bytes>> deliveries = new ArrayList<>();

    executor.execute("a", BODY, delivery -> {
      ran.add(Thread.currentThread());
      deliveries.add(delivery);
      return Bytes.EMPTY;
    });

    assertThat(ran).containsExactly(Thread.currentThread());
    assertThat(deliveries.get(0).message()).isEqualTo(text("a"));
    assertThat(deliveries.get(0).idempotencyKey()).hasSize(32);
    assertThat(deliveries.get(0).fencingToken()).isPositive();
    assertThat(deliveries.get(0).attempt()).isEqualTo(1);
    assertThat(deliveries.get(0).recovery()).isFalse();
  }

  @Test
  void a_call_that_runs_on_another_thread_is_in_progress_at_once() throws Exception {
    Gate gate = new Gate();
    Future<ExecutionResult> first = threads.submit(() -> executor.execute("a", BODY, delivery -> {
      gate.pass();
      return text("first");
    }));
    gate.awaitReached();

    assertThat(executor.execute("a", BODY, effect("second"))).isInstanceOf(InProgress.class);
    assertThat(executor.execute("a", OTHER_BODY, effect("third"))).isEqualTo(new Conflict());
    assertThat(executor.execute("b", BODY, effect("other"))).isInstanceOf(Executed.class);

    gate.open();
    assertThat(first.get()).isEqualTo(new Executed(text("first")));
    assertThat(effects).containsExactly("b other");
  }

  @Test
  void a_call_of_another_owner_is_in_progress_with_a_short_suggestion() throws Exception {
    claimedElsewhere("a", BODY, false, Duration.ofMinutes(10));

    assertThat(executor.execute("a", BODY, effect("second")))
        .isEqualTo(new InProgress(Duration.ofSeconds(1)));
    assertThat(executor.execute("a", OTHER_BODY, effect("third"))).isEqualTo(new Conflict());
  }

  @Test
  void a_result_beyond_the_limit_is_returned_but_not_replayed() throws Exception {
    IdempotentExecutor small = open(executors().resultLimit(4).leased(store));

    assertThat(small.execute("a", BODY, effect("12345"))).isEqualTo(new Executed(text("12345")));
    assertThat(small.execute("a", BODY, effect("12345"))).isEqualTo(new Replayed(Optional.empty()));
    small.execute("b", BODY, effect("1234"));
    assertThat(small.execute("b", BODY, effect("1234")))
        .isEqualTo(new Replayed(Optional.of(text("1234"))));
  }

  @Test
  void a_call_inside_a_call_of_the_same_executor_is_refused() throws Exception {
    IdempotentExecutor other = open(IdempotentExecutor.builder("mail").leased(store));

    executor.execute("a", BODY, delivery -> {
      assertThatThrownBy(() -> executor.execute("b", BODY, effect("inner")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("execute of executor 'orders' was called for b inside a call");
      return ((Executed) other.execute("a", BODY, effect("mail"))).result();
    });

    assertThat(effects).containsExactly("a mail");
    assertThat(executor.execute("b", BODY, effect("later"))).isInstanceOf(Executed.class);
  }

  @Test
  void an_unusable_id_is_refused() {
    assertThatThrownBy(() -> executor.execute(" ", BODY, effect("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("id is blank but must not be");
    String tooLong = "x".repeat(MessageKey.MAX_ID_BYTES + 1);
    assertThatThrownBy(() -> executor.execute(tooLong, BODY, effect("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("id has 16385 bytes");
    assertThatThrownBy(() -> executor.execute("key-\ufffd", BODY, effect("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds U+FFFD");
    assertThat(effects).isEmpty();
  }

  @Test
  void a_closed_executor_takes_no_call() {
    executor.close();

    assertThatThrownBy(() -> executor.execute("a", BODY, effect("x")))
        .isInstanceOf(ReceiverClosedException.class)
        .hasMessageContaining(SCOPE);
    assertThat(effects).isEmpty();
  }
}
