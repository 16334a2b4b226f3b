package io.hapax.chaos;

import java.time.Duration;

/** The time in which nothing was settled after a fault of the store or the broker. */
record Standstill(String fault, Duration time) {}
