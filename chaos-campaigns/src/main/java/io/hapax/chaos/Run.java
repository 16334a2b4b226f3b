package io.hapax.chaos;

import io.hapax.servers.LocalServer;
import java.util.List;
import java.util.function.Consumer;

/** The parts of a campaign that its passes and faults use. */
record Run(
    ChaosSettings settings,
    OrderBroker broker,
    List<LocalServer> storeServers,
    StoreInspector inspector,
    Consumers consumers,
    Acknowledgements acknowledgements,
    FaultLog log,
    Consumer<String> progress) {

  boolean alone() {
    return settings.group().alone();
  }
}
