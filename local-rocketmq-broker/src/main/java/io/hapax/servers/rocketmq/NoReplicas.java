package io.hapax.servers.rocketmq;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * A broker's service for its replicas that does not listen for any: RocketMQ's own listens on every
 * network interface, whatever its settings say. Found by the broker under {@code META-INF/service}.
 */
public final class NoReplicas extends DefaultHAService {

  /** For the broker. */
  public NoReplicas() {}

  @Override
  public void start() {
    // nobody to serve
  }
}
