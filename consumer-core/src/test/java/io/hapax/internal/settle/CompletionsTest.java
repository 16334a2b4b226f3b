package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionsTest {

  private static final Bytes RESULT = Bytes.utf8("result");

  private final TestSettling parts = new TestSettling(new TestSettings());
  private final Completions<String> completions = new Completions<>(parts.results, parts.settler);

  private ClaimedMessage<String> claimed(String text) {
    InFlightMessage<String> message = parts.claim(text);
    return new ClaimedMessage<>(message, message.acquired().orElseThrow());
  }

  @Test
  void messages_of_one_call_are_settled_together_each_with_its_result() {
    ClaimedMessage<String> a = claimed("A");
    ClaimedMessage<String> b = claimed("B");

    completions.settle(List.of(a, b), List.of(RESULT, Bytes.EMPTY));
    parts.messages.threads.run();

    assertThat(parts.store.calls).containsExactly("settle 2");
    assertThat(a.item().outcome())
        .hasValue(new Outcome.Executed(a.acquired().claim().token(), 1, RESULT));
    assertThat(b.item().outcome())
        .hasValue(new Outcome.Executed(b.acquired().claim().token(), 1, Bytes.EMPTY));
  }
}
