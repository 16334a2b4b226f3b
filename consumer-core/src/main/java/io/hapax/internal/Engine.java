package io.hapax.internal;

import io.hapax.ReceiverHealth;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.claim.GenerationGate;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.SubmissionOrder;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Takes submissions, returns health and closes, for a receiver. {@link EngineAssembler} connects
 * the parts that do the work.
 */
public final class Engine<M> implements ReceiverEngine<M> {

  /** The parts of an engine that this class uses. */
  record Parts<M>(
      Environment env,
      UserCodeCalls calls,
      GenerationGate<M> gate,
      Outcomes<M> outcomes,
      Submissions<M> submissions,
      SubmissionOrder order,
      EngineHealth health,
      Shutdown<M> shutdown) {}

  private final EngineSettings<M> settings;
  private final boolean transactional;
  private final Duration retention;
  private final Parts<M> parts;

  Engine(EngineSettings<M> settings, boolean transactional, Duration retention, Parts<M> parts) {
    this.settings = settings;
    this.transactional = transactional;
    this.retention = retention;
    this.parts = parts;
  }

  /** Submits messages; see {@link io.hapax.IdempotentReceiver#submit}. */
  @Override
  public Submission submit(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    ActiveSubmission<M> submission = submission(messages, sink);
    Runnable entry = parts.gate().of(submission, messages);
    take(submission, () -> parts.env().threads().call(entry));
    return submission;
  }

  /** Starts messages here; see {@link io.hapax.IdempotentReceiver#submitOnCallerThread}. */
  @Override
  public Submission submitOnCallerThread(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    ActiveSubmission<M> submission = submission(messages, sink);
    startHere(submission, messages);
    return submission;
  }

  void startHere(ActiveSubmission<M> submission, List<Incoming<M>> messages) {
    Runnable entry = parts.gate().of(submission, messages);
    take(submission, () -> {});
    if (!submission.over()) { // outside of any lock: other threads submit meanwhile
      submission.beginOnCallerThread(entry);
    }
  }

  /** See {@link io.hapax.IdempotentReceiver#openLanes}. */
  @Override
  public LaneGroup<M> openLanes() {
    return new AssignedLanes<>(this, parts);
  }

  private ActiveSubmission<M> submission(List<Incoming<M>> messages, OutcomeSink sink) {
    return new ActiveSubmission<>(
        parts.outcomes(), sink, messages.size(), parts.env().ticker());
  }

  /** Takes a submission up and starts it. */
  void take(ActiveSubmission<M> submission, Runnable start) {
    if (!parts.submissions().take(submission, start)) {
      throw new ReceiverClosedException(settings.scope());
    }
  }

  /** Waits for the outcomes; see {@link io.hapax.IdempotentReceiver#receive}. */
  @Override
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return BlockingReceive.receive(this, messages, patience);
  }

  /** Runs messages here; see {@link io.hapax.IdempotentReceiver#receiveOnCallerThread}. */
  @Override
  public List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, OutcomeSink sink) throws InterruptedException {
    return new CallerThread<>(this, parts).receive(messages, patience, sink);
  }

  /** Runs a message here; see {@link ReceiverEngine}. */
  @Override
  public Optional<Outcome> receiveOnCallerThread(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    return new CallerThread<>(this, parts).receive(message, patience, handled, limit);
  }

  /** Returns the settings of the receiver. */
  @Override
  public EngineSettings<M> settings() {
    return settings;
  }

  /** Returns the health; see {@link io.hapax.IdempotentReceiver#health}. */
  @Override
  public ReceiverHealth health() {
    return parts.health().now();
  }

  /** Returns the clock; see {@link io.hapax.IdempotentReceiver#clock}. */
  @Override
  public InstantSource clock() {
    return parts.env().clock();
  }

  /** Returns the mode; see {@link io.hapax.IdempotentReceiver#transactional}. */
  @Override
  public boolean transactional() {
    return transactional;
  }

  /** Returns the dedup window; see {@link io.hapax.IdempotentReceiver#retention}. */
  @Override
  public Duration retention() {
    return retention;
  }

  /** Closes the engine; see {@link io.hapax.IdempotentReceiver#close(Duration)}. */
  @Override
  public void close(Duration limit) {
    parts.shutdown().run(limit);
  }
}
