package io.hapax.demo;

/**
 * One effect. No constraint of the database prevents two effects of an order.
 *
 * @param token the fencing token of the effect; 0 without Hapax
 * @param attempt the attempt's number; 0 without Hapax
 * @param recovery whether an earlier attempt may have taken effect
 * @param consumer the consumer: in a run its number, because the system reuses process ids; in the
 *     service its process id
 */
public record LedgerRow(String orderId, long token, int attempt, boolean recovery, long consumer) {}
