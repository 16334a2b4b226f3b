package io.hapax.rocketmq.grpc;

import io.hapax.HapaxException;

/** A wrapped listener did not answer success. Whether the effect has happened is in doubt. */
final class ListenerFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  ListenerFailedException(String message) {
    super(message);
  }
}
