package io.hapax.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Watches for buckets that have outgrown the compact encoding of hashes. */
final class BucketSizeMonitor {

  private final HashEncoding encoding;
  private final Consumer<String> warning;
  private final AtomicBoolean warned = new AtomicBoolean();

  BucketSizeMonitor(HashEncoding encoding, Consumer<String> warning) {
    this.encoding = encoding;
    this.warning = warning;
  }

  /**
   * Checks the size of a bucket that was just written; warns once.
   *
   * @param fields the number of its fields
   */
  void check(long fields) {
    if (fields > encoding.entries() && warned.compareAndSet(false, true)) {
      warning.accept("there are more marks than compact(..) expects: a bucket has " + fields
          + " fields, and " + encoding.setting() + " is " + encoding.entries()
          + ". Nothing is lost, but marks cost several times the memory from now on: use a namespace"
          + " with a greater number, or raise that setting");
    }
  }
}
