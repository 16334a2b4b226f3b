package io.hapax.bench;

/**
 * The length of a measurement.
 *
 * @param rounds rounds that count, all of the same length
 * @param millis the time of a round
 * @param atMost the most messages of a thread in a round
 */
record Pace(int rounds, int millis, int atMost) {}
