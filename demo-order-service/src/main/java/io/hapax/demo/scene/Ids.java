package io.hapax.demo.scene;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;

/**
 * Makes ids that are unique across nodes without asking a server, and ordered by time, so that an
 * index on them grows at its end: UUIDs of version 7. Those of one process are strictly increasing.
 * Thread-safe.
 */
final class Ids {

  private final TimeBasedEpochGenerator generator = Generators.timeBasedEpochGenerator();

  /** Returns a new id of 36 characters. */
  String next() {
    return generator.generate().toString();
  }
}
