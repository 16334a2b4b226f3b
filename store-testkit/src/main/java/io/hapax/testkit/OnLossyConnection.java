package io.hapax.testkit;

/** A part of the contract of the way to a server; it is given what its tests work with. */
interface OnLossyConnection {

  RemoteStoreFixture fixture();
}
