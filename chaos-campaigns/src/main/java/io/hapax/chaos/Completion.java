package io.hapax.chaos;

/**
 * An order that a consumer reported as executed. The consumer reports that after the store has
 * confirmed that its mark is DONE.
 *
 * @param orderId the order
 * @param consumer the consumer's number
 */
record Completion(String orderId, long consumer) {}
