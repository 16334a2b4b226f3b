package io.hapax.demo.scene;

import java.io.IOException;

/** A broker that carries events. Thread-safe. */
public interface EventBroker {

  /**
   * Creates a topic.
   *
   * @param partitions the number of its partitions or queues
   * @return the topic; close it after its subscriptions
   * @throws IOException if the broker does not create it
   */
  EventTopic<?> create(String name, int partitions) throws IOException, InterruptedException;
}
