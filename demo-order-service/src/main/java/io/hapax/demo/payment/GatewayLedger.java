package io.hapax.demo.payment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The gateway's ledger: a file with a line for each charge. Outlives the process. Thread-safe. */
final class GatewayLedger {

  private final Path file;
  private final List<Charge> charges = new ArrayList<>();

  private GatewayLedger(Path file) {
    this.file = file;
  }

  static GatewayLedger open(Path file) throws IOException {
    GatewayLedger ledger = new GatewayLedger(file);
    if (Files.exists(file)) {
      Files.readAllLines(file).stream().map(Charge::ofLine).forEach(ledger.charges::add);
    }
    return ledger;
  }

  /** Charges a customer, or returns the charge that was made under the same key. */
  synchronized Charge charge(String orderId, int cents, Optional<String> key) throws IOException {
    Optional<Charge> earlier = key.flatMap(
        it -> charges.stream().filter(charge -> charge.receipt().equals(it)).findFirst());
    if (earlier.isPresent()) {
      return earlier.orElseThrow();
    }
    Charge charge =
        new Charge(orderId, cents, key.orElseGet(() -> UUID.randomUUID().toString()));
    Files.writeString(
        file,
        charge.toLine() + '\n',
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        StandardOpenOption.DSYNC);
    charges.add(charge);
    return charge;
  }

  synchronized List<Charge> charges() {
    return List.copyOf(charges);
  }
}
