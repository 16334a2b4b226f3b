package io.hapax.internal.run;

import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.MessageReader;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.store.GenerationWatch;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ids of submissions on the threads that submit them. Until the generation is known,
 * which is a part of the ids' keys, submissions wait unread, in the order of submission.
 */
public final class Admission<M> {

  private final EngineSettings.Reading<M> reading;
  private final GenerationWatch generation;
  private final Events events;
  private final Tasks<M> tasks;
  private final SubmissionStart<M> start;
  private final Queue<ActiveSubmission<M>> unread = new ArrayDeque<>();
  private volatile @Nullable MessageReader<M> reader;

  /** Whether submissions are read at once. This object's lock guards it and the queue. */
  private boolean open;

  private boolean ended;

  public Admission(
      EngineSettings.Reading<M> reading,
      GenerationWatch generation,
      Events events,
      Tasks<M> tasks,
      SubmissionStart<M> start) {
    this.reading = reading;
    this.generation = generation;
    this.events = events;
    this.tasks = tasks;
    this.start = start;
  }

  /** Reads a submission on this thread and begins with it, or lets it wait. */
  public void take(ActiveSubmission<M> submission) {
    if (!queued(submission)) {
      begin(submission);
    }
  }

  private void begin(ActiveSubmission<M> submission) {
    start.run(submission, () -> read(submission));
  }

  /**
   * Reads the submissions that wait, and lets later ones be read at once. Called once, when the
   * generation is known.
   */
  public void open() {
    reader = new MessageReader<>(generation.scope().orElseThrow(), reading, events);
    for (ActiveSubmission<M> next = nextUnread(); next != null; next = nextUnread()) {
      ActiveSubmission<M> submission = next;
      tasks.read(submission, () -> begin(submission));
    }
  }

  /** Lets all later submissions wait, because nothing is claimed any more. */
  public synchronized void end() {
    ended = true;
    open = false;
    unread.clear();
  }

  private synchronized @Nullable ActiveSubmission<M> nextUnread() {
    ActiveSubmission<M> next = unread.poll();
    open = next == null && !ended;
    return next;
  }

  private synchronized boolean queued(ActiveSubmission<M> submission) {
    if (!open && !ended) {
      // Not those of open lanes: what is behind them in their lanes must not run.
      unread.removeIf(it -> it.over() && it.position().isEmpty());
      unread.add(submission);
    }
    return !open;
  }

  private List<InFlightMessage<M>> read(ActiveSubmission<M> submission) {
    MessageReader<M> known = reader;
    return known == null || submission.over() ? List.of() : known.read(submission);
  }
}
