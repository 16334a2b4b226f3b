package io.hapax.demo.scene;

import java.io.IOException;

/** A broker that carries events. Thread-safe. */
@FunctionalInterface
public interface EventBroker {

  /** Creates a topic. Close it after its subscriptions. */
  EventTopic<?> create(String name, int partitions) throws IOException, InterruptedException;
}
