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

  private final GenerationWatch generation;
  private final Tasks<M> tasks;
  private final SubmissionStart<M> start;
  private final Queue<Entry> unread = new ArrayDeque<>();
  private volatile @Nullable MessageReader<M> reader;

  /** Whether submissions are read at once. This object's lock guards it and the queue. */
  private boolean open;

  private boolean ended;

  /** Allocated once: where memory is used up, all submissions would wait for ever. */
  private final Runnable learn;

  public Admission(
      EngineSettings.Reading<M> reading,
      GenerationWatch generation,
      Events events,
      Tasks<M> tasks,
      SubmissionStart<M> start) {
    this.generation = generation;
    this.tasks = tasks;
    this.start = start;
    this.learn = () -> this.reader = new MessageReader<>(scope(), reading, events);
  }

  private String scope() {
    return generation.scope().orElseThrow();
  }

  /**
   * Returns an action that reads a submission and begins with it, or lets it wait. It does not
   * throw. Everything that it needs after an error is allocated in advance.
   */
  public Runnable of(ActiveSubmission<M> submission) {
    return new Entry(submission);
  }

  /**
   * Reads the submissions that wait, and lets later ones be read at once. Called once, when the
   * generation is known. Does not throw.
   */
  public void open() {
    tasks.untilItSucceeds(learn);
    for (Entry next = nextUnread(); next != null; next = nextUnread()) {
      tasks.untilItSucceeds(next.beginLater);
    }
  }

  /** Lets all later submissions wait, because nothing is claimed any more. */
  public synchronized void end() {
    ended = true;
    open = false;
    unread.clear();
  }

  private synchronized @Nullable Entry nextUnread() {
    Entry next = unread.poll();
    open = next == null && !ended;
    return next;
  }

  private synchronized boolean queued(Entry entry) {
    if (!open && !ended) {
      // Not those of open lanes: what is behind them in their lanes must not run.
      unread.removeIf(Entry::isForgettable);
      unread.addAll(List.of(entry)); // grows before it adds, whereas add(..) grows afterwards
    }
    return !open;
  }

  private List<InFlightMessage<M>> read(ActiveSubmission<M> submission) {
    MessageReader<M> known = reader;
    return known == null || submission.over() ? List.of() : known.read(submission);
  }

  /** Admits one submission. */
  private final class Entry implements Runnable {

    private final ActiveSubmission<M> submission;
    private final Runnable begin;
    private final Runnable beginLater;
    private final Runnable queue = this::queue;
    private boolean waits;

    Entry(ActiveSubmission<M> submission) {
      this.submission = submission;
      this.begin = start.of(submission, () -> read(submission));
      this.beginLater = () -> tasks.read(submission, begin);
    }

    @Override
    public void run() {
      tasks.untilItSucceeds(queue);
      if (!waits) {
        begin.run();
      }
    }

    private void queue() {
      waits = queued(this);
    }

    boolean isForgettable() {
      return submission.over() && submission.position().isEmpty();
    }
  }
}
