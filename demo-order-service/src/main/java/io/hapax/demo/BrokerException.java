package io.hapax.demo;

import java.io.IOException;

/** The broker did not do what was asked of it. */
final class BrokerException extends IOException {

  private static final long serialVersionUID = 1;

  BrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
