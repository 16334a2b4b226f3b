package io.hapax;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A store's clock that tests move by hand, on top of real time. */
final class TestClock implements InstantSource {

  private volatile Duration ahead = Duration.ZERO;

  @Override
  public Instant instant() {
    return InstantSource.system().instant().plus(ahead);
  }

  void advance(Duration by) {
    ahead = ahead.plus(by);
  }
}
