package io.hapax.demo;

/**
 * One effect. Nothing in the database keeps an order from having two.
 *
 * @param orderId the order
 * @param token the fencing token under which it took effect; 0 without Hapax
 * @param attempt the attempt's number; 0 without Hapax
 * @param recovery whether an earlier attempt may have taken effect
 * @param consumer who did it: in a run its number, because process ids come again; in the service
 *     its process id
 */
record LedgerRow(String orderId, long token, int attempt, boolean recovery, long consumer) {}
