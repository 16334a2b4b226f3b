package io.hapax.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Watches for buckets that have grown out of the encoding that makes them small. */
final class Crowding {

  private final Encoding encoding;
  private final Consumer<String> warning;
  private final AtomicBoolean told = new AtomicBoolean();

  Crowding(Encoding encoding, Consumer<String> warning) {
    this.encoding = encoding;
    this.warning = warning;
  }

  /** Says how many fields a bucket has that was written just now. Warns once. */
  void seen(long fields) {
    if (fields > encoding.entries() && told.compareAndSet(false, true)) {
      warning.accept("there are more marks than compact(..) was told to expect: a bucket has "
          + fields + " fields, and " + encoding.setting() + " is " + encoding.entries()
          + ". Nothing is lost, but marks cost several times the memory from now on: use a namespace"
          + " with a greater number, or raise that setting");
    }
  }
}
