package io.hapax.servers.rocketmq;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Replaces the broker's service for replicas, and does not listen. RocketMQ's own service ignores
 * the settings and listens on every network interface. The broker finds this class under
 * {@code META-INF/service}.
 */
public final class NoReplicas extends DefaultHAService {

  /** Creates the service; the broker calls this. */
  public NoReplicas() {}

  @Override
  public void start() {
    // no replica
  }
}
