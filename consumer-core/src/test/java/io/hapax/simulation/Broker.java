package io.hapax.simulation;

import java.util.Collection;

/** Delivers what is produced, at least once. */
interface Broker {

  /** Takes a message. */
  void produce(Post post);

  /** Lets a process take part. */
  Adapter adapter(ConsumerProcess process);

  /** Moves work between the processes. */
  void rebalance();

  /** A process has ended, and the broker has noticed. */
  void left(ConsumerProcess process);

  /** What stands before a message in its lane. */
  Collection<Post> before(Post post);

  /** Whether everything that was produced is acknowledged. */
  boolean atRest();

  /** What is not acknowledged, for people. */
  String open();
}
