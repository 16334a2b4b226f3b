package io.hapax.redis;

import java.util.List;

/**
 * Sends commands to one server and waits once, for all of them, until enough replicas have what
 * they wrote. Has a connection of its own, because a wait holds up whatever comes behind it.
 *
 * @param wire a connection to one server that nobody else uses
 * @param fence how many replicas, and how long
 */
record Replicated(Wire wire, ReplicaFence fence) implements Sender {

  @Override
  public List<Reply> send(List<Request> requests) {
    ReplicaFence.Fenced fenced = fence.around(requests);
    return fenced.judge(wire.send(fenced.requests()));
  }

  @Override
  public void close() {
    wire.close();
  }
}
