package io.hapax.bench;

/**
 * How long is measured.
 *
 * @param rounds rounds that count, each as long as the others
 * @param millis how long a round is to take
 * @param atMost the most messages of a thread in a round
 */
record Pace(int rounds, int millis, int atMost) {}
