package io.hapax.demo;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The broker did not do what was asked of it. */
final class BrokerException extends IOException {

  private static final long serialVersionUID = 1;

  BrokerException(String message) {
    super(message);
  }

  BrokerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
