package io.hapax.demo.scene;

import io.hapax.errors.NotAppliedException;

/** Thrown if another transaction has changed a row since this one has read it. */
final class StaleVersionException extends NotAppliedException {

  private static final long serialVersionUID = 1L;

  StaleVersionException(String sku, long version) {
    super("the stock of " + sku + " does not have version " + version + " any more");
  }
}
