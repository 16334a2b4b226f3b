package io.hapax.cli;

/** What the receiver's keys and values are. */
enum Format {
  /** Arrays of bytes. */
  BYTES,
  /** Texts, as a deserializer of texts reads them. */
  TEXT
}
