package io.hapax.chaos;

/** An order that a consumer reported as executed, after the store had confirmed that it is DONE. */
record Completion(String orderId, long consumer) {}
