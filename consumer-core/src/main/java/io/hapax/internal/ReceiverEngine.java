package io.hapax.internal;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort;
import io.hapax.adapter.Submission;
import io.hapax.internal.runtime.EngineSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Runs the messages of an {@link io.hapax.IdempotentReceiver}, whose methods describe these. */
public interface ReceiverEngine<M> extends ReceiverPort<M> {

  EngineSettings<M> given();

  Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink);

  List<Outcome> receive(List<Incoming<M>> messages, Duration patience) throws InterruptedException;

  default List<Outcome> receiveOnCallerThread(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return receiveOnCallerThread(messages, patience, (index, outcome) -> {});
  }

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
    return Optional.of(receiveOnCallerThread(List.of(message), patience, (index, outcome) -> {})
        .get(0));
  }

  ReceiverHealth health();

  default Optional<ShadowReport> shadowReport() {
    return Optional.empty();
  }

  default void close() {
    close(given().running().drainTimeout());
  }

  void close(Duration limit);
}
