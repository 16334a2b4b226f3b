package io.hapax.redis;

import java.util.List;

/**
 * Sends commands to one server and waits once until enough replicas have their writes. Uses a
 * connection of its own, because {@code WAIT} blocks the commands behind it.
 *
 * @param pipeline a connection that no other caller uses
 * @param replicaWait how many replicas, and for how long
 */
record ReplicatedSender(Pipeline pipeline, ReplicaWait replicaWait) implements Sender {

  @Override
  public List<Reply> send(List<Request> requests) {
    ReplicaWait.Extended extended = replicaWait.extend(requests);
    return extended.check(pipeline.send(extended.requests()));
  }

  @Override
  public void close() {
    pipeline.close();
  }
}
