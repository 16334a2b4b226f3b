package io.hapax.internal.run;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls the probe for one message in doubt. The first call is immediate, because most effects have
 * happened. If the answer is "not applied", a second call follows after the quiet period. That
 * period begins with the present claim, because the end of the earlier owner's lease is unknown.
 */
final class ProbeInvocation<M> {

  private final Tasks<M> tasks;
  private final Ticker ticker;
  private final Probes<M> probes;
  private final InFlightMessage<M> item;
  private final Acquired acquired;
  private final Runnable again;
  private final long quietEnd;
  private volatile @Nullable Answer finding;

  ProbeInvocation(
      Probes<M> probes, InFlightMessage<M> item, Runnable again, Tasks<M> tasks, Ticker ticker) {
    this.probes = probes;
    this.item = item;
    this.acquired = item.acquired().orElseThrow();
    this.again = again;
    this.tasks = tasks;
    this.ticker = ticker;
    this.quietEnd = ticker.nanos() + probes.quiet().toNanos();
  }

  /** Returns the final answer; empty until there is one. */
  Optional<Answer> finding() {
    return Optional.ofNullable(finding);
  }

  void ask() {
    long asked = ticker.nanos();
    probes.ask(item, acquired, answer -> {
      long tooEarly = quietEnd - asked;
      if (answer instanceof Answer.NotApplied && tooEarly > 0 && item.unfinished()) {
        tasks.callLater(List.of(item), this::ask, Duration.ofNanos(tooEarly));
      } else {
        finding = answer;
        again.run();
      }
    });
  }
}
