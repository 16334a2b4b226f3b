package io.hapax.testkit;

/** A part of the contract of failing connections. */
interface OnLossyConnection {

  RemoteStoreFixture fixture();
}
