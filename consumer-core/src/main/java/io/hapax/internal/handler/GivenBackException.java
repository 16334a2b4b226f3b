package io.hapax.internal.handler;

import io.hapax.errors.DeferredException;
import java.time.Duration;

/** Gives the attempt back as if the handler was never started: no time of deferrals begins. */
public final class GivenBackException extends DeferredException {

  private static final long serialVersionUID = 1L;

  public GivenBackException(String reason) {
    super(Duration.ZERO, reason);
  }
}
