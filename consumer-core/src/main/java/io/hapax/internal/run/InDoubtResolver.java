package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Ticker;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the policy for unknown outcomes to a claimed message whose earlier attempt may have taken
 * effect.
 */
public final class InDoubtResolver<M> {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private final UnknownOutcomePolicy<M> policy;
  private final Optional<Probes<M>> probes;
  private final Failures<M> failures;
  private final Results<M> results;
  private final Tasks<M> tasks;
  private final Ticker ticker;
  private volatile Consumer<InFlightMessage<M>> whenAsked = item -> {};
  private final Map<InFlightMessage<M>, Probing> underWay = new ConcurrentHashMap<>();

  public InDoubtResolver(
      UnknownOutcomePolicy<M> policy,
      Optional<Probes<M>> probes,
      Failures<M> failures,
      Results<M> results,
      Tasks<M> tasks,
      Ticker ticker) {
    this.policy = policy;
    this.probes = probes;
    this.failures = failures;
    this.results = results;
    this.tasks = tasks;
    this.ticker = ticker;
  }

  public void whenAsked(Consumer<InFlightMessage<M>> action) {
    whenAsked = action;
  }

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Returns whether a claimed message needs a probe that has not answered yet. */
  boolean open(InFlightMessage<M> item) {
    if (probes.isEmpty() || item.acquired().filter(InDoubtResolver::inDoubt).isEmpty()) {
      return false;
    }
    Probing probing = underWay.get(item);
    return item.givenUpFor().isEmpty() && (probing == null || probing.finding().isEmpty());
  }

  void ask(InFlightMessage<M> item, Runnable again) {
    Probing probing = new Probing(probes.orElseThrow(), item, again);
    underWay.put(item, probing);
    if (!item.whenFinished(() -> underWay.remove(item))) {
      underWay.remove(item);
    }
    whenAsked.accept(item);
    probing.ask();
  }

  /** Returns how to settle the claim of a message that must not run; empty if it may run. */
  Optional<Failures.Decision> decide(InFlightMessage<M> item, Acquired acquired) {
    if (!inDoubt(acquired) || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (policy instanceof UnknownOutcomePolicy.Bury) {
      return Optional.of(failures.bury(item, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer finding = Optional.ofNullable(underWay.get(item))
        .flatMap(Probing::finding)
        .orElseGet(() -> Answer.unknown("no probe was called"));
    if (finding instanceof Answer.Applied applied) {
      Bytes result = results.kept(item, applied.result());
      return Optional.of(
          new Failures.Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    if (finding instanceof Answer.Unknown unknown) {
      return Optional.of(failures.unknown(item, acquired, MAYBE + ": " + unknown.reason()));
    }
    return Optional.empty();
  }

  /**
   * Calls the probe for one message in doubt. The first call is immediate, because most effects
   * have happened. If the answer is "not applied", a second call follows after the quiet period.
   * That period begins with the present claim, because the end of the earlier owner's lease is
   * unknown.
   */
  private final class Probing {

    private final Probes<M> called;
    private final InFlightMessage<M> item;
    private final Acquired acquired;
    private final Runnable again;
    private final long quietEnd;
    private volatile @Nullable Answer finding;

    Probing(Probes<M> called, InFlightMessage<M> item, Runnable again) {
      this.called = called;
      this.item = item;
      this.acquired = item.acquired().orElseThrow();
      this.again = again;
      this.quietEnd = ticker.nanos() + called.quiet().toNanos();
    }

    /** Returns the final answer; empty until there is one. */
    Optional<Answer> finding() {
      return Optional.ofNullable(finding);
    }

    void ask() {
      long asked = ticker.nanos();
      called.ask(item, acquired, answer -> {
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
}
