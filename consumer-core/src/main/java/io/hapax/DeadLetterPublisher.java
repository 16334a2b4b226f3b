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
   * Publishes a dead letter and waits for the broker's acknowledgement. Called on a worker thread,
   * which is interrupted after {@link ReceiverBuilder#deadLetterTimeout}: a publisher has to end
   * then. One that ignores the interrupt keeps its worker and its lane, and is named by
   * {@link IdempotentReceiver#health()} until it returns. A record that the broker stores after its
   * publisher has failed is published once more, under the same id.
   *
   * @param letter the dead letter
   * @throws Exception if it could not be published; the lane then waits and it is tried again
   */
  void publish(DeadLetter<M> letter) throws Exception;
}
