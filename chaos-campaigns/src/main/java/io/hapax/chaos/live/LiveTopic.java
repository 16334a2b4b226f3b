package io.hapax.chaos.live;

import java.util.List;

/** The topic of the live demo. Thread-safe. */
public interface LiveTopic {

  /**
   * Publishes new orders.
   *
   * @param count the number of orders
   * @throws Exception if the broker does not store them
   */
  void place(int count) throws Exception;

  /**
   * Publishes the newest orders again.
   *
   * @param most the maximum number of orders
   * @return the number of published orders
   * @throws Exception if the broker does not store them
   */
  int repeat(int most) throws Exception;

  /**
   * Returns all orders that were placed.
   *
   * @return their ids, oldest first
   */
  List<String> placed();

  /**
   * Resets both groups to the beginning of the topic.
   *
   * @throws Exception if a group has a member, or the broker does not answer
   */
  void rewind() throws Exception;
}
