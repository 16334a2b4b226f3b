package io.hapax.testkit;

class MachineStoreRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return new RemoteHeapFixture(MachineStore::new, RemoteMachineStore::new);
  }
}
