package io.hapax.simulation;

import io.hapax.DeadLetter;
import io.hapax.LeaseSettings;
import io.hapax.OutcomeProbe;
import io.hapax.ProbeSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.SimulatedMachine;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.simulation.Plan.Fault;
import io.hapax.simulation.Violation.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A consumer process: the real engine between a simulated adapter and a simulated store. */
final class ConsumerProcess implements ReceiverListener {

  static final LeaseSettings LEASE = LeaseSettings.of(Duration.ofSeconds(10));
  static final RetrySettings RETRY =
      new RetrySettings(4, Duration.ofMillis(500), Duration.ofSeconds(4));

  private static final ProbeSettings PROBE =
      new ProbeSettings(Duration.ofSeconds(5), Duration.ofSeconds(12));

  /** Longer than the quiet period, which begins anew with each claim. */
  private static final Duration CALLERS_PATIENCE = Duration.ofSeconds(20);

  private static final int WORKERS = 2;

  private final World world;
  private final String name;
  private final Life life = new Life();
  private final Engine<Post> engine;
  private final Duration wallClockSkew;
  private final long bootedBefore;
  private final double clockRate;
  private long frozenFor;
  private long lastTrouble = -1;

  ConsumerProcess(World world, String name, Dice dice) {
    this.world = world;
    this.name = name;
    this.wallClockSkew = dice.between(Duration.ofMinutes(-10), Duration.ofMinutes(10));
    this.bootedBefore = dice.any() / 4;
    this.clockRate = 0.99 + 0.02 * dice.fraction();
    VirtualTime time = world.time();
    SimulatedMachine machine = new SimulatedMachine(
        clock(),
        new SimulatedExecutor(time, life, dice, WORKERS),
        new SimulatedExecutor(time, life, dice, Integer.MAX_VALUE),
        new SimulatedTimer(time, life, dice),
        dice::fraction);
    this.engine = engine(machine, new Handler(this, world, dice));
  }

  private Engine<Post> engine(SimulatedMachine machine, Handler handler) {
    StoreClient store = new StoreClient(this, world.store(), world.network());
    return switch (world.plan().mode()) {
      case SINGLE -> machine.leased(settings(), store, handler::handle);
      case BATCH -> machine.leasedBatches(settings(), store, handler::handleAll);
      case TRANSACTIONAL ->
        machine.transactional(
            settings(),
            new TransactionalStoreClient(this, world.store(), world.network()),
            TransactionalHandler.<Post, Transaction>forEach(handler::handleIn));
    };
  }

  private Ticker clock() {
    return new Ticker() {
      @Override
      public long nanos() {
        return monotonic();
      }

      @Override
      public void park(long nanos) {
        world.time().pause(Duration.ofMillis(5), life);
      }
    };
  }

  private long monotonic() {
    long counted = world.makes(Mistake.CLOCK_STOPS_IN_A_FREEZE)
        ? world.time().now() - frozenFor
        : world.time().now();
    return bootedBefore + (long) (counted * clockRate);
  }

  private EngineSettings<Post> settings() {
    return new EngineSettings<>(
        World.SCOPE,
        new EngineSettings.Reading<>(
            post -> Optional.of(Bytes.utf8(post.id())),
            MissingIdPolicy.DEAD_LETTER,
            post -> Fingerprint.NONE,
            MissingFingerprintPolicy.DEAD_LETTER,
            Optional.empty(),
            TooOldPolicy.PROCESS),
        LEASE,
        new EngineSettings.Failing(RETRY, error -> false),
        new EngineSettings.Running<>(
            WORKERS,
            Optional.empty(),
            Duration.ZERO,
            Optional.empty(),
            policy(),
            2 * world.plan().window()),
        new EngineSettings.Answering<>(0, Optional.empty()),
        new EngineSettings.Reporting<>(
            Optional.of(this::publish),
            EngineSettings.Reporting.DEAD_LETTER_TIMEOUT,
            List.of(this),
            Optional.empty()));
  }

  private UnknownOutcomePolicy<Post> policy() {
    return switch (world.plan().policy()) {
      case RERUN -> UnknownOutcomePolicy.rerun();
      case DEAD_LETTER -> UnknownOutcomePolicy.deadLetter();
      case PROBE -> UnknownOutcomePolicy.probe(delivery -> ask(delivery.message()), PROBE);
    };
  }

  private OutcomeProbe.Answer ask(Post post) {
    world.time().pause(Duration.ofMillis(5), life);
    if (world.happens(Fault.HANDLER_FAILS, 0.1)) {
      return OutcomeProbe.Answer.unknown("nobody can tell");
    }
    if (!world.witness().hasTakenEffect(post.id())) {
      return OutcomeProbe.Answer.NOT_APPLIED;
    }
    world.witness().isThrough(post.id());
    return OutcomeProbe.Answer.APPLIED;
  }

  private void publish(DeadLetter<Post> letter) {
    world.time().pause(Duration.ofMillis(2), life);
    if (world.happens(Fault.DEAD_LETTERS_REFUSED, 0.5)) {
      throw new IllegalStateException("refused");
    }
    if (!world.makes(Mistake.DEAD_LETTERS_GET_LOST)) {
      world.deadLettered(letter.message());
    }
  }

  World world() {
    return world;
  }

  Life life() {
    return life;
  }

  Engine<Post> engine() {
    return engine;
  }

  /** Handles messages on a thread of its own, as a listener container does, which gives none up. */
  Submission handleHere(List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
    world.time().after(Duration.ZERO, life, () -> handle(messages, sink));
    return new Submission() {
      @Override
      public void abandon() {}

      @Override
      public boolean await(Duration atMost) {
        throw new UnsupportedOperationException("nobody waits");
      }

      @Override
      public void awaitOrAbandon(Duration patience) {
        throw new UnsupportedOperationException("nobody waits");
      }
    };
  }

  private void handle(List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
    List<Outcome> outcomes;
    try {
      outcomes = engine.receiveOnCallerThread(messages, CALLERS_PATIENCE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    world.witness().tally.handledHere += outcomes.size();
    for (int i = 0; i < outcomes.size(); i++) {
      sink.accept(i, outcomes.get(i));
    }
  }

  /** How far its wall clock is from the store's. */
  Duration wallClockSkew() {
    return wallClockSkew;
  }

  /** Something is wrong with it, or with its way to the store, at this moment. */
  void troubled() {
    lastTrouble = Math.max(lastTrouble, world.time().now());
  }

  boolean troubledSince(long nanos) {
    return life.over() || lastTrouble >= nanos;
  }

  void freeze(Duration duration) {
    world.witness().tally.freezes++;
    world.witness().note(() -> this + " freezes for " + duration);
    life.freezeUntil(world.time().now() + duration.toNanos());
    lastTrouble = world.time().now() + duration.toNanos();
    frozenFor += duration.toNanos();
  }

  /** Everything of it ends at once. */
  void crash() {
    if (!life.over()) {
      world.witness().tally.crashes++;
      world.witness().note(() -> this + " CRASHES");
      life.end();
      world.witness().died(this);
      world.replaceLater(this);
    }
  }

  @Override
  public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
    world.witness().announced(key, acquired.claim().token());
  }

  @Override
  public void onFenced(MessageKey key, long token) {
    world.witness().tally.fenced++;
  }

  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    if (outcome instanceof Outcome.Deferred deferred
        && deferred.reason() == Outcome.Reason.INTERNAL_ERROR
        && !life.over()) {
      world.witness().violated(Rule.NOTHING_BREAKS, this + ": " + deferred);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
