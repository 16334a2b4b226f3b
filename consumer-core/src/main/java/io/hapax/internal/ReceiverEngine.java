package io.hapax.internal;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.runtime.EngineSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Runs the messages of an {@link io.hapax.IdempotentReceiver}, whose methods describe these. */
public interface ReceiverEngine<M> {

  Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink);

  LaneGroup<M> openLanes();

  /** Submits messages and waits for their outcomes. */
  List<Outcome> receive(List<Incoming<M>> messages, Duration patience) throws InterruptedException;

  /** Runs messages on this thread. */
  default List<Outcome> receiveOnCallerThread(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return receiveOnCallerThread(messages, patience, (index, outcome) -> {});
  }

  /** Runs messages on this thread, and passes on each outcome as soon as it is known. */
  List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException;

  /**
   * Runs a message on this thread, and leaves its settlement to the receiver if the store does not
   * answer in time. For leased mode, where no code of the user follows the settlement unless there
   * is a handler of duplicates.
   *
   * @param handled returns whether the handler has ended
   * @param limit how long to wait for the outcome after that
   * @return the outcome; empty if it was not known in time
   */
  default Optional<Outcome> receiveOnCallerThread(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    return Optional.of(receiveOnCallerThread(List.of(message), patience).get(0));
  }

  /** Throws once an error of the engine's own code has ended it. */
  void requireRunning();

  EngineSettings<M> settings();

  ReceiverHealth health();

  /** Returns what shadow mode has found; empty in any other mode. */
  default Optional<ShadowReport> shadowReport() {
    return Optional.empty();
  }

  InstantSource clock();

  /** Returns whether the handler runs in the store's transaction. */
  default boolean transactional() {
    return false;
  }

  Duration retention();

  /** Closes the engine within the drain timeout. */
  default void close() {
    close(settings().running().drainTimeout());
  }

  /** Closes the engine within a time limit. */
  void close(Duration limit);
}
