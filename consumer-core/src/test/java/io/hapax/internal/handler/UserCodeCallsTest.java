package io.hapax.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.internal.runtime.ManualThreads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UserCodeCallsTest {

  private final ManualThreads threads = new ManualThreads();
  private final UserCodeCalls calls = new UserCodeCalls(threads.threads());
  private final AtomicInteger timeouts = new AtomicInteger();
  private final UserCodeCalls.Limit limit =
      new UserCodeCalls.Limit(Duration.ofSeconds(9), timeouts::incrementAndGet);

  @Test
  void any_error_of_the_code_is_a_failure_of_the_handler() {
    Error error = new StackOverflowError();

    assertThatThrownBy(() -> calls.run(() -> {
          throw error;
        }))
        .isInstanceOfSatisfying(
            HandlerFailure.class, it -> assertThat(it.reason()).isSameAs(error));
  }

  @Test
  void a_call_that_exceeds_its_limit_is_interrupted() throws HandlerFailure {
    boolean[] interrupted = new boolean[1];

    calls.run(
        () -> {
          threads.advance(Duration.ofSeconds(9));
          interrupted[0] = Thread.currentThread().isInterrupted();
        },
        limit);

    assertThat(interrupted[0]).isTrue();
    assertThat(timeouts).hasValue(1);
    assertThat(Thread.currentThread().isInterrupted())
        .as("for the next store call")
        .isFalse();
  }

  @Test
  void a_call_that_has_returned_is_not_interrupted() throws HandlerFailure {
    calls.run(() -> threads.advance(Duration.ofSeconds(8)), limit);

    threads.advance(Duration.ofSeconds(9));
    calls.interruptAll();

    assertThat(timeouts).hasValue(0);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void closing_interrupts_the_running_calls() throws HandlerFailure {
    boolean[] interrupted = new boolean[1];

    calls.run(() -> {
      calls.interruptAll();
      interrupted[0] = Thread.currentThread().isInterrupted();
    });

    assertThat(interrupted[0]).isTrue();
  }
}
