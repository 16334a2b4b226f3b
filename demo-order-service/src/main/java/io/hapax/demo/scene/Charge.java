package io.hapax.demo.scene;

/**
 * A charge in the gateway's ledger. A charge that was made under an idempotency key has the key as
 * its receipt, and another one a receipt of its own.
 */
public record Charge(String orderId, int cents, String receipt) {}
