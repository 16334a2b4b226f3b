package io.hapax.demo;

import java.time.Duration;

/**
 * How long a consumer that lived on settled nothing after a blow.
 *
 * @param blow which blow it was
 * @param time from the end of the blow to the next outcome
 */
record Standstill(String blow, Duration time) {}
