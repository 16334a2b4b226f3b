package io.hapax.chaos;

/** A recovery that a consumer counted before it ran the order again, with its new token. */
record Recovery(String orderId, long token) {}
