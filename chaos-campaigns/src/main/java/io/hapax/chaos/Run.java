package io.hapax.chaos;

import io.hapax.servers.LocalServer;
import java.util.List;

/**
 * The parts of a campaign that its passes and faults use.
 *
 * @param storeServers the servers of the marks
 */
record Run(
    ChaosSettings settings,
    OrderBroker broker,
    List<LocalServer> storeServers,
    StoreInspector inspector,
    Consumers consumers,
    Acknowledgements acknowledgements,
    FaultLog log,
    Progress progress) {

  Run {
    storeServers = List.copyOf(storeServers);
  }

  /** Returns whether only one process consumes at a time. */
  boolean alone() {
    return settings.group().alone();
  }
}
