package io.hapax.demo;

import java.time.Duration;

/**
 * How long a consumer settled nothing after its store or its broker was killed.
 *
 * @param blow which blow it was
 * @param time from the end of the blow to the next outcome
 */
record Standstill(String blow, Duration time) {}
