package io.hapax.demo;

/**
 * What an order does to the shop.
 *
 * @param order the order, whose stock is taken
 * @param row the ledger's row
 */
record Effect(Order order, LedgerRow row) {}
