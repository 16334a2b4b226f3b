package io.hapax.internal;

import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.runtime.Threads;
import io.hapax.store.ListenableStore;
import java.time.Duration;
import java.util.List;

/**
 * Closes an engine: gives up messages that have not started, waits for running handlers, and then
 * interrupts them. Claims that are not settled by then expire with their leases.
 */
record Shutdown<M>(
    Submissions<M> submissions,
    Outcomes<M> outcomes,
    UserCodeCalls calls,
    Threads threads,
    List<ListenableStore.Registration> registrations) {

  void run(Duration limit) {
    List<ActiveSubmission<M>> open = submissions.close();
    open.forEach(ActiveSubmission::giveUp);
    boolean interrupted = submissions.await(open, limit);
    registrations.forEach(ListenableStore.Registration::close);
    threads.stop();
    calls.interruptAll();
    for (ActiveSubmission<M> submission : open) {
      submission.items().forEach(item -> outcomes.finish(item, Deferrals.ABANDONED));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
