package io.hapax;

/**
 * Publishes dead-letter records. A message is settled and acknowledged after the publisher
 * returned. So the publisher must return only after the broker has acknowledged the record. After a
 * crash in between, the same record is published again, with the same id.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface DeadLetterPublisher<M> {

  /**
   * Publishes a dead-letter record and waits for the broker's acknowledgement. Called on a worker
   * thread, which is interrupted after {@link ReceiverBuilder#deadLetterTimeout}: the publisher
   * must end then. A publisher that ignores the interrupt keeps its worker and its lane, and
   * {@link IdempotentReceiver#health()} shows it until it returns. If the broker stores a record
   * after its publisher has failed, the record is published once more, with the same id.
   *
   * @param deadLetter the message and why it is dead-lettered
   * @throws Exception if the record could not be published; the lane waits, and it is tried again
   */
  void publish(DeadLetter<M> deadLetter) throws Exception;
}
