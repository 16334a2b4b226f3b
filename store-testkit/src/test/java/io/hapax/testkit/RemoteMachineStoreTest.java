package io.hapax.testkit;

class RemoteMachineStoreTest extends LossyConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteHeapFixture(MachineStore::new, RemoteMachineStore::new);
  }
}
