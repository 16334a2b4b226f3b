package io.hapax.internal.shadow;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.ReceiverEngine;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.runtime.EngineSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Runs messages in shadow mode: an engine whose store grants every claim runs them, and another
 * engine observes them with the real store.
 */
final class ShadowEngine<M> implements ReceiverEngine<M> {

  private interface Run<M> {
    List<Outcome> outcomes(List<Incoming<Shadowed<M>>> messages) throws InterruptedException;
  }

  private final EngineSettings<M> settings;
  private final ShadowReader<M> reader;
  private final Engine<Shadowed<M>> runner;
  private final ShadowObserver<M> observer;

  ShadowEngine(EngineSettings<M> settings, Engine<Shadowed<M>> runner, ShadowObserver<M> observer) {
    this.settings = settings;
    this.reader = new ShadowReader<>(settings.scope(), settings.reading());
    this.runner = runner;
    this.observer = observer;
  }

  @Override
  public Submission submit(List<Incoming<M>> messages, OutcomeSink sink) {
    return start(messages, sink, runner::submit);
  }

  private Submission start(
      List<Incoming<M>> messages,
      OutcomeSink sink,
      BiFunction<List<Incoming<Shadowed<M>>>, OutcomeSink, Submission> start) {
    List<Incoming<Shadowed<M>>> read = reader.read(messages);
    Submission submission = start.apply(read, completing(read, sink));
    observer.observe(read);
    return submission;
  }

  private static <M> OutcomeSink completing(
      List<Incoming<Shadowed<M>>> messages, OutcomeSink sink) {
    return (index, outcome) -> {
      try {
        sink.accept(index, outcome);
      } finally {
        complete(messages.get(index), outcome);
      }
    };
  }

  private static <M> void complete(Incoming<Shadowed<M>> message, Outcome outcome) {
    var unused = ShadowedHandout.runOf(message).outcome().complete(outcome);
  }

  @Override
  public LaneGroup<M> openLanes() {
    LaneGroup<Shadowed<M>> lanes = runner.openLanes();
    return new LaneGroup<>() {
      @Override
      public Submission submit(List<Incoming<M>> messages, OutcomeSink sink) {
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
    return outcomes(messages, read -> runner.receive(read, patience));
  }

  @Override
  public List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, OutcomeSink sink) throws InterruptedException {
    return outcomes(messages, read -> runner.receiveOnCallerThread(read, patience, sink));
  }

  private List<Outcome> outcomes(List<Incoming<M>> messages, Run<M> run)
      throws InterruptedException {
    List<Incoming<Shadowed<M>>> read = reader.read(messages);
    observer.observe(read);
    try {
      List<Outcome> outcomes = run.outcomes(read);
      for (int i = 0; i < read.size(); i++) {
        complete(read.get(i), outcomes.get(i));
      }
      return outcomes;
    } finally {
      read.forEach(it -> complete(it, Deferrals.ABANDONED)); // unless it has its outcome
    }
  }

  @Override
  public EngineSettings<M> settings() {
    return settings;
  }

  /** Returns the health of the runs; of the store, only whether it can be reached. */
  @Override
  public ReceiverHealth health() {
    ReceiverHealth runs = runner.health();
    ReceiverHealth marks = observer.health();
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
    return Optional.of(observer.report());
  }

  @Override
  public InstantSource clock() {
    return runner.clock();
  }

  @Override
  public boolean transactional() {
    return false;
  }

  @Override
  public Duration retention() {
    return observer.retention();
  }

  @Override
  public void close(Duration limit) {
    runner.close(limit);
    observer.close();
  }
}
