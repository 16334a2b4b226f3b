package io.hapax.internal.handler;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.HandlerCall;
import io.hapax.ReceiverListener;
import io.hapax.health.Problem;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandlerInvokerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(9);

  private final List<HandlerCall> calls = new ArrayList<>();
  private final TestMessages messages = new TestMessages(new ReceiverListener() {
    @Override
    public void onHandlerCall(HandlerCall call) {
      calls.add(call);
    }
  });
  private final InFlightMessage<String> message = messages.claimed("A", FIRST);
  private final HandlerInvoker<String> invoker = new HandlerInvoker<>(
      messages.threads.env(),
      messages.events,
      new UserCodeCalls(messages.threads.threads()),
      Optional.of(TIMEOUT));

  private void run(UserCodeCalls.Code code) throws HandlerFailure {
    invoker.run(List.of(new ClaimedMessage<>(message, message.acquired().orElseThrow())), code);
  }

  @Test
  void a_handler_that_exceeds_its_timeout_is_a_problem_until_it_ends() throws Exception {
    run(() -> {
      messages.threads.advance(TIMEOUT);
      assertThat(messages.problems()).containsExactly(Problem.Kind.HANDLER_TIMEOUT);
    });

    assertThat(messages.problems()).isEmpty();
    assertThat(message.lease.renewalStopped()).isTrue();
  }

  @Test
  void the_lease_of_a_handler_that_is_in_time_is_renewed_on() throws Exception {
    run(() -> messages.threads.advance(TIMEOUT.minusNanos(1)));

    assertThat(message.lease.renewalStopped()).isFalse();
  }

  @Test
  void listeners_are_notified_of_each_call_with_its_time_and_failure() throws Exception {
    Exception failure = new IllegalStateException();
    run(() -> messages.threads.advance(Duration.ofSeconds(2)));

    assertThatThrownBy(() -> run(() -> {
          throw failure;
        }))
        .isInstanceOf(HandlerFailure.class);

    assertThat(calls)
        .containsExactly(
            new HandlerCall(
                List.of(message.requiredKey()), Duration.ofSeconds(2), Optional.empty()),
            new HandlerCall(List.of(message.requiredKey()), Duration.ZERO, Optional.of(failure)));
  }
}
