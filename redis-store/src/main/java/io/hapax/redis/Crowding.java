package io.hapax.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches for buckets that have grown out of the encoding that makes them small. */
final class Crowding {

  private static final Logger LOG = LoggerFactory.getLogger(Crowding.class);

  private final Encoding encoding;
  private final AtomicBoolean told = new AtomicBoolean();

  Crowding(Encoding encoding) {
    this.encoding = encoding;
  }

  /** Says how many fields a bucket has that was written just now. Warns once. */
  void seen(long fields) {
    if (fields > encoding.entries() && told.compareAndSet(false, true)) {
      LOG.warn(
          "there are more marks than compact(..) was told to expect: a bucket has {} fields and"
              + " leaves its small encoding behind {} ({}). Nothing is lost, but marks cost several"
              + " times the memory from now on: use a namespace with a greater number, or raise that"
              + " setting",
          fields,
          encoding.entries(),
          encoding.setting());
    }
  }
}
