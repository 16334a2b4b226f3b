package io.hapax.spring.web;

import io.hapax.errors.HapaxException;
import io.hapax.spring.IdempotentRequest;

/**
 * A handler with {@link IdempotentRequest} cannot be safe and is refused: at the start, or when a
 * handler without the annotation forwards to it.
 */
public final class RefusedHandlerException extends HapaxException {

  private static final long serialVersionUID = 1L;

  RefusedHandlerException(String message) {
    super(message);
  }
}
