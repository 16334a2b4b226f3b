package io.hapax.internal.run;

import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.MessageReader;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.EngineSettings;
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
  private final Events events;
  private final Tasks<M> tasks;
  private final SubmissionStart<M> start;
  private final Queue<ActiveSubmission<M>> unread = new ArrayDeque<>();

  /** Null while submissions have to wait. This object's lock guards it and the queue. */
  private @Nullable MessageReader<M> reader;

  private boolean ended;

  public Admission(
      EngineSettings.Reading<M> reading, Events events, Tasks<M> tasks, SubmissionStart<M> start) {
    this.reading = reading;
    this.events = events;
    this.tasks = tasks;
    this.start = start;
  }

  /** Reads a submission and begins with it, or lets it wait. Does not throw. */
  public void admit(ActiveSubmission<M> submission) {
    tasks
        .guarded(submission, () -> {
          MessageReader<M> known = readerOrWait(submission);
          if (known != null) {
            begin(submission, known);
          }
        })
        .run();
  }

  /**
   * Reads the submissions that wait, and lets later ones be read at once. A submission for a thread
   * that runs the user's code is read by that thread. Called once, when the generation is known.
   */
  public void open(String scope) {
    MessageReader<M> known = new MessageReader<>(scope, reading, events);
    ActiveSubmission<M> next = nextUnread(known);
    while (next != null) {
      ActiveSubmission<M> submission = next;
      submission.onItsThread(tasks.guarded(submission, () -> begin(submission, known)));
      next = nextUnread(known);
    }
  }

  private void begin(ActiveSubmission<M> submission, MessageReader<M> known) {
    start.begin(submission, submission.over() ? List.of() : known.read(submission));
  }

  /** Lets all later submissions wait, because nothing is claimed any more. */
  public synchronized void end() {
    ended = true;
    reader = null;
  }

  private synchronized @Nullable MessageReader<M> readerOrWait(ActiveSubmission<M> submission) {
    if (reader == null) {
      // Not those of open lanes: what is behind them in their lanes must not run.
      unread.removeIf(it -> it.over() && it.position().isEmpty());
      unread.add(submission);
    }
    return reader;
  }

  private synchronized @Nullable ActiveSubmission<M> nextUnread(MessageReader<M> known) {
    ActiveSubmission<M> next = ended ? null : unread.poll();
    if (next == null && !ended) {
      reader = known;
    }
    return next;
  }
}
