package io.hapax.demo;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reports that a request to the broker failed. */
final class BrokerException extends IOException {

  private static final long serialVersionUID = 1;

  BrokerException(String message) {
    super(message);
  }

  BrokerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
