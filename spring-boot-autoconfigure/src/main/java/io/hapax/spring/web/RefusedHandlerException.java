package io.hapax.spring.web;

import io.hapax.errors.HapaxException;
import io.hapax.spring.IdempotentRequest;

/** A handler with {@link IdempotentRequest} is refused at the start, because it cannot be safe. */
public final class RefusedHandlerException extends HapaxException {

  private static final long serialVersionUID = 1L;

  RefusedHandlerException(String message) {
    super(message);
  }
}
