package io.hapax.metrics;

import io.hapax.DeadLetter;
import io.hapax.OutcomeProbe;
import io.hapax.ReceiverListener;
import io.hapax.StaleMarks;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.StoreLoss;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what a receiver does: {@code builder.listener(new
 * MicrometerReceiverListener(registry, "billing"))}. {@code docs/observability.md} lists the meters
 * and says what to do when one rises.
 *
 * <p>Each meter has the tag {@code consumer}; the other tags have a fixed set of values, and a
 * message id is never a tag. All meters are registered at the start, at zero. One listener may
 * serve all receivers of its consumer. {@link MicrometerStoreListener} times calls to the store.
 */
public final class MicrometerReceiverListener implements ReceiverListener {

  /** The last bucket: it is longer than any usual retention. */
  private static final Duration LONGEST_AGE = Duration.ofDays(32);

  private static final Duration[] AGES = {
    Duration.ofMinutes(1),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1),
    Duration.ofDays(2),
    Duration.ofDays(4),
    Duration.ofDays(8),
    Duration.ofDays(16),
    LONGEST_AGE
  };

  /** The outcomes that allow the acknowledgement; a deferred message is counted by its reason. */
  private enum Ended {
    EXECUTED,
    DUPLICATE,
    DEAD,
    DROPPED;

    static Ended of(Outcome outcome) {
      if (outcome instanceof Outcome.Executed) {
        return EXECUTED;
      } else if (outcome instanceof Outcome.Duplicate) {
        return DUPLICATE;
      }
      return outcome instanceof Outcome.Dropped ? DROPPED : DEAD;
    }
  }

  private enum Recovery {
    TAKEOVER,
    IN_DOUBT
  }

  private enum Probed {
    APPLIED,
    NOT_APPLIED,
    UNKNOWN
  }

  private final Clock clock;
  private final Map<Ended, Counter> ended;
  private final Map<Outcome.Reason, Counter> deferred;
  private final Map<CallResult, Timer> handlerCalls;
  private final DistributionSummary handlerMessages;
  private final Timer duplicateAge;
  private final Map<Recovery, Counter> recoveries;
  private final Map<Probed, Counter> probes;
  private final Map<DeadLetter.Kind, Counter> deadLetters;
  private final Counter conflicts;
  private final Map<TooOldPolicy, Counter> tooOld;
  private final Counter missingIds;
  private final Counter fenced;
  private final Counter marksLost;
  private final Counter marksForgotten;
  private final Counter generationMoves;
  private final Counter storeErrors;
  private final Map<StoreLoss.Extent, Counter> storeLosses;
  private volatile @Nullable StaleMarks staleMarks;

  /**
   * Registers the meters.
   *
   * @param registry the registry
   * @param consumer the consumer's name, as in the receiver's builder
   */
  public MicrometerReceiverListener(MeterRegistry registry, String consumer) {
    Meters meters = new Meters(registry, "consumer", consumer);
    this.clock = registry.config().clock();
    this.ended = outcomes(meters, Ended.class);
    this.deferred = outcomes(meters, Outcome.Reason.class);
    this.handlerCalls = meters.timers(
        "hapax.handler.calls", "Calls of the handler", "result", CallResult.class, Tags.empty());
    this.handlerMessages = meters.summary(
        "hapax.handler.messages", "messages", "Messages of a call of the handler", Tags.empty());
    this.duplicateAge = meters.timer(Timer.builder("hapax.duplicates.age")
        .description("Time from the end of a message to the delivery of its duplicate")
        .serviceLevelObjectives(AGES)
        .maximumExpectedValue(LONGEST_AGE));
    this.recoveries = meters.counters(
        "hapax.recoveries",
        "messages",
        "Claims of messages whose effect may have happened before",
        "kind",
        Recovery.class);
    this.probes = meters.counters(
        "hapax.probes", "messages", "Questions to the downstream", "answer", Probed.class);
    this.deadLetters = meters.counters(
        "hapax.dead.letters", "messages", "Dead-lettered messages", "kind", DeadLetter.Kind.class);
    this.conflicts = meters.counter(
        "hapax.conflicts", "messages", "Messages with another payload than the known one");
    this.tooOld = meters.counters(
        "hapax.too.old",
        "messages",
        "Messages without a mark that are older than the dedup window",
        "policy",
        TooOldPolicy.class);
    this.missingIds =
        meters.counter("hapax.missing.ids", "messages", "Messages without a usable id");
    this.fenced =
        meters.counter("hapax.fenced", "claims", "Claims that another owner had taken over");
    this.marksLost =
        meters.counter("hapax.marks.lost", "marks", "Open marks that the store had lost");
    this.marksForgotten = meters.counter(
        "hapax.marks.forgotten", "marks", "Open and dead marks removed after their retention");
    this.generationMoves = meters.counter(
        "hapax.generation.moved", "moves", "Times that the generation moved under the receiver");
    this.storeErrors =
        meters.counter("hapax.store.errors", "calls", "Calls to the store that failed");
    this.storeLosses = meters.counters(
        "hapax.store.losses",
        "losses",
        "Times that the store detected a loss of marks",
        "extent",
        StoreLoss.Extent.class);
    gauges(meters);
  }

  private void gauges(Meters meters) {
    meters.gauge(
        "hapax.marks.stale",
        "marks",
        "Marks whose owner vanished and whose message was not redelivered",
        this,
        it -> it.ofStaleMarks(StaleMarks::stale));
    meters.gauge(
        "hapax.marks.in.doubt",
        "marks",
        "Open marks of messages that may have taken effect",
        this,
        it -> it.ofStaleMarks(StaleMarks::inDoubt));
    meters.gauge(
        "hapax.marks.stale.age",
        "seconds",
        "Time since the oldest stale mark was claimed",
        this,
        it -> it.ofStaleMarks(found -> found.oldest().map(it::ageSeconds).orElse(0.0)));
  }

  private double ageSeconds(Mark mark) {
    return Math.max(0, clock.wallTime() - mark.claimedAt().toEpochMilli()) / 1000.0;
  }

  /** Returns NaN while the stale marks have not been counted. */
  private double ofStaleMarks(ToDoubleFunction<StaleMarks> figure) {
    StaleMarks known = staleMarks;
    return known == null ? Double.NaN : figure.applyAsDouble(known);
  }

  private static <E extends Enum<E>> Map<E, Counter> outcomes(Meters meters, Class<E> kinds) {
    return meters.counters(
        "hapax.outcomes", "messages", "Outcomes of submitted messages", "outcome", kinds);
  }

  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    Counter counter = outcome instanceof Outcome.Deferred it
        ? Meters.of(deferred, it.reason())
        : Meters.of(ended, Ended.of(outcome));
    counter.increment();
  }

  @Override
  public void onHandlerCall(ReceiverListener.HandlerCall call) {
    Meters.of(handlerCalls, CallResult.failed(call.failure().isPresent())).record(call.took());
    handlerMessages.record(call.keys().size());
  }

  /** Uses this process's clock, which is precise enough for ages of hours and days. */
  @Override
  public void onDuplicate(MessageKey key, Instant doneAt) {
    Duration age = Duration.between(doneAt, Instant.ofEpochMilli(clock.wallTime()));
    duplicateAge.record(age.isNegative() ? Duration.ZERO : age);
  }

  @Override
  public void onConflict(MessageKey key, String coordinates, ConflictPolicy.Decision decision) {
    conflicts.increment();
  }

  @Override
  public void onTooOldToJudge(MessageKey key, Duration age, TooOldPolicy policy) {
    Meters.of(tooOld, policy).increment();
  }

  @Override
  public void onMissingId(String coordinates) {
    missingIds.increment();
  }

  @Override
  public void onDeadLetter(DeadLetter<?> deadLetter) {
    Meters.of(deadLetters, deadLetter.kind()).increment();
  }

  @Override
  public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
    boolean takenOver = acquired.kind() == ClaimAnswer.Kind.TAKEOVER;
    Meters.of(recoveries, takenOver ? Recovery.TAKEOVER : Recovery.IN_DOUBT).increment();
  }

  @Override
  public void onProbed(MessageKey key, OutcomeProbe.Answer answer) {
    Probed probed = answer instanceof OutcomeProbe.Answer.Applied
        ? Probed.APPLIED
        : answer instanceof OutcomeProbe.Answer.NotApplied ? Probed.NOT_APPLIED : Probed.UNKNOWN;
    Meters.of(probes, probed).increment();
  }

  @Override
  public void onFenced(MessageKey key, long token) {
    fenced.increment();
  }

  @Override
  public void onMarkLost(MessageKey key, long token) {
    marksLost.increment();
  }

  @Override
  public void onGenerationMoved(int was, int now) {
    generationMoves.increment();
  }

  @Override
  public void onStaleMarks(StaleMarks found) {
    staleMarks = found;
  }

  @Override
  public void onStoreError(String verb, Throwable error) {
    storeErrors.increment();
    if (verb.equals("list")) {
      staleMarks = null;
    }
  }

  @Override
  public void onStoreDataLost(StoreLoss loss) {
    Meters.of(storeLosses, loss.extent()).increment();
  }

  @Override
  public void onStoreMarksForgotten(int marks) {
    marksForgotten.increment(marks);
  }
}
