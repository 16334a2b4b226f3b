package io.hapax.testkit;

class RemoteMachineStoreTest extends LossyWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteHeapFixture(MachineStore::new, RemoteMachineStore::new);
  }
}
