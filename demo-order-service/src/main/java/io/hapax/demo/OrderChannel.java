package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import java.util.List;

/**
 * A broker's topic of orders, as the order service uses it: with the settings of the broker's
 * client as they are, where {@link OrderSource} has those of a run that kills its processes.
 *
 * @param <M> the client's type of a message
 */
interface OrderChannel<M> extends AutoCloseable {

  /** Makes the topics of the service that are missing; those that are there stay as they are. */
  void create() throws BrokerException, InterruptedException;

  /** Sends an order, and returns when the broker has it. */
  void send(Order order) throws BrokerException, InterruptedException;

  /**
   * Starts to build a receiver that knows orders by their id, compares their bytes, and puts what
   * fails for good aside.
   */
  ReceiverBuilder<M> receiver();

  /**
   * Reads a message.
   *
   * @throws io.hapax.errors.RejectedMessageException if it is none of an order
   */
  Order order(M message);

  /** Starts to hand messages to a receiver, which stays open when the reading is closed. */
  Reading read(IdempotentReceiver<M> receiver) throws BrokerException;

  /** Gives its connections back. */
  @Override
  void close();

  /** Messages are being read. */
  interface Reading extends AutoCloseable {

    /** Returns what keeps orders from moving; empty while all is well. */
    List<String> problems();

    /**
     * Makes sure that it goes on.
     *
     * @throws BrokerException if it has ended by itself
     */
    void mustRun() throws BrokerException;

    /** Ends it in good order: what runs is waited for. */
    @Override
    void close();
  }
}
