package io.hapax.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class MovableClock implements InstantSource {

  private Instant now = Instant.parse("2026-11-21T08:00:00.123456Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}
