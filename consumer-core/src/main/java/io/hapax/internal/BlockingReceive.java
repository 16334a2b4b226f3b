package io.hapax.internal;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Submits messages and waits for their outcomes. */
final class BlockingReceive {

  private BlockingReceive() {}

  /** Waits for the outcomes; see {@link io.hapax.IdempotentReceiver#receive}. */
  static <M> List<Outcome> receive(Engine<M> engine, List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    Submission submission = engine.submitOnCallerThread(messages, outcomes::set);
    submission.awaitOrAbandon(patience);
    return list(outcomes);
  }

  static List<Outcome> list(AtomicReferenceArray<Outcome> outcomes) {
    List<Outcome> result = new ArrayList<>(outcomes.length());
    for (int i = 0; i < outcomes.length(); i++) {
      result.add(outcomes.get(i));
    }
    return result;
  }
}
