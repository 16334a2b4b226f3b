package io.hapax.chaos;

import java.time.Duration;

/**
 * The time that a consumer settled nothing after its store or its broker was killed.
 *
 * @param fault the name of the fault
 * @param time from the end of the fault to the next outcome
 */
record Standstill(String fault, Duration time) {}
