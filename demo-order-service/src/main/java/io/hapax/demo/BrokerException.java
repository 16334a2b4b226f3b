package io.hapax.demo;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

public final class BrokerException extends IOException {

  private static final long serialVersionUID = 1;

  public BrokerException(String message) {
    super(message);
  }

  public BrokerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
