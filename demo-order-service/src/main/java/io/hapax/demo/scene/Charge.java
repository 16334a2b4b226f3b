package io.hapax.demo.scene;

/**
 * A charge in the gateway's ledger. A charge that was made under an idempotency key has the key as
 * its receipt, and another one a receipt of its own.
 */
public record Charge(String orderId, int cents, String receipt) {

  /** Writes the charge as a line of the ledger. */
  String toLine() {
    return orderId + ' ' + cents + ' ' + receipt;
  }

  /** Reads a line of the ledger. */
  static Charge ofLine(String line) {
    String[] parts = line.split(" ", 3);
    return new Charge(parts[0], Integer.parseInt(parts[1]), parts[2]);
  }
}
