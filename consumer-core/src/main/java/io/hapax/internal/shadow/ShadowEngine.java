package io.hapax.internal.shadow;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.ReceiverEngine;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.Identity;
import io.hapax.internal.message.Interrupted;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingFingerprintPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Runs messages in shadow mode: an engine whose store grants every claim runs them, and another
 * engine observes them with the real store.
 */
record ShadowEngine<M>(
    EngineSettings<M> given,
    ReceiverPort.Settings settings,
    Identity<M> identity,
    Engine<ShadowRun<M>> runner,
    ShadowObserver<M> observer)
    implements ReceiverEngine<M> {

  private interface Receive<M> {
    List<Outcome> outcomes(List<Incoming<ShadowRun<M>>> messages) throws InterruptedException;
  }

  @Override
  public Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink) {
    return start(messages, sink, runner::submit);
  }

  private Submission start(
      List<Incoming<M>> messages,
      Submission.OutcomeSink sink,
      BiFunction<List<Incoming<ShadowRun<M>>>, Submission.OutcomeSink, Submission> start) {
    List<ShadowRun<M>> runs = read(messages);
    Submission submission = start.apply(toRun(runs), (index, outcome) -> {
      try {
        sink.accept(index, outcome);
      } finally {
        runs.get(index).complete(outcome);
      }
    });
    observer.observe(runs);
    return submission;
  }

  private List<ShadowRun<M>> read(List<Incoming<M>> messages) {
    return messages.stream().map(this::read).toList();
  }

  /** Reads the id and the fingerprint, whose errors hold back no message. */
  private ShadowRun<M> read(Incoming<M> incoming) {
    int maxAttempts = given.failing().retry().maxAttempts();
    M message;
    try {
      message = incoming.message();
    } catch (Throwable e) { // it cannot be read again now: its run fails, and no other does
      return new ShadowRun<>(incoming, Optional.empty(), Optional.empty(), maxAttempts);
    }
    MissingFingerprintPolicy missing = given.reading().missingFingerprints();
    return new ShadowRun<>(
        incoming,
        orNone(() -> identity.ownKeyOf(message)).or(() -> identity.keyOf(incoming.coordinates())),
        orNone(() -> Optional.of(identity.fingerprintOf(message)))
            .or(() -> Optional.of(Fingerprint.NONE)
                .filter(none -> missing == MissingFingerprintPolicy.NOT_COMPARED)),
        maxAttempts);
  }

  private static <T> Optional<T> orNone(Supplier<Optional<T>> function) {
    try {
      return function.get();
    } catch (Throwable e) { // a function in another language may throw any
      if (Interrupted.isBehind(e)) { // without Hapax nothing would have taken the interrupt
        Thread.currentThread().interrupt();
      }
      return Optional.empty();
    }
  }

  private static <M> List<Incoming<ShadowRun<M>>> toRun(List<ShadowRun<M>> runs) {
    return runs.stream().map(ShadowRun::toRun).toList();
  }

  @Override
  public LaneGroup<M> openLanes() {
    LaneGroup<ShadowRun<M>> lanes = runner.openLanes();
    return new LaneGroup<>() {
      @Override
      public Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink) {
        return start(messages, sink, lanes::submit);
      }

      @Override
      public void restart(String lane) {
        lanes.restart(lane);
      }

      @Override
      public void close() {
        lanes.close();
      }
    };
  }

  @Override
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return outcomes(messages, toRun -> runner.receive(toRun, patience));
  }

  @Override
  public List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException {
    return outcomes(messages, toRun -> runner.receiveOnCallerThread(toRun, patience, sink));
  }

  private List<Outcome> outcomes(List<Incoming<M>> messages, Receive<M> receive)
      throws InterruptedException {
    List<ShadowRun<M>> runs = read(messages);
    observer.observe(runs);
    try {
      List<Outcome> outcomes = receive.outcomes(toRun(runs));
      for (int i = 0; i < runs.size(); i++) {
        runs.get(i).complete(outcomes.get(i));
      }
      return outcomes;
    } finally {
      runs.forEach(it -> it.complete(Deferrals.ABANDONED)); // unless it has its outcome
    }
  }

  /** Only the runs count: an observer that has failed holds back no message. */
  @Override
  public void requireRunning() {
    runner.requireRunning();
  }

  /** Returns the health of the runs; of the store, only whether it can be reached. */
  @Override
  public ReceiverHealth health() {
    ReceiverHealth runs = runner.health();
    ReceiverHealth marks = observer.engine().health();
    return new ReceiverHealth(
        marks.storeReachable(),
        runs.problems(),
        marks.sinceSettled(),
        marks.staleMarks(),
        runs.oldestUnfinished(),
        runs.waiting());
  }

  @Override
  public Optional<ShadowReport> shadowReport() {
    return Optional.of(observer.counts().report());
  }

  @Override
  public InstantSource clock() {
    return runner.clock();
  }

  @Override
  public void close(Duration limit) {
    runner.close(limit);
    observer.close();
  }
}
