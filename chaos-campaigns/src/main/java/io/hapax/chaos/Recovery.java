package io.hapax.chaos;

/**
 * A recovery that a consumer counted before it ran the order again.
 *
 * @param orderId the order
 * @param token the new owner's fencing token
 */
record Recovery(String orderId, long token) {}
