package io.hapax.demo;

/**
 * The effect of an order on the shop.
 *
 * @param order the order that reduces the stock
 * @param row the ledger's row
 */
public record Effect(Order order, LedgerRow row) {}
