package io.hapax.cli;

/** The type of the receiver's keys and values. */
enum Format {
  /** Byte arrays. */
  BYTES,
  /** Strings, as a string deserializer reads them. */
  TEXT
}
