package io.hapax;

/**
 * Publishes dead letters. The message is settled and acknowledged only after this returned, so it
 * must return only after the broker acknowledged the record. A crash in between publishes the same
 * record again, under the same id.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface DeadLetterPublisher<M> {

  /**
   * Publishes a dead letter and waits for the broker's acknowledgement. Called on a worker thread.
   *
   * @param letter the dead letter
   * @throws Exception if it could not be published; the lane then waits and it is tried again
   */
  void publish(DeadLetter<M> letter) throws Exception;
}
