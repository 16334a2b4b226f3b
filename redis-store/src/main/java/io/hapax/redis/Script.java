package io.hapax.redis;

import java.util.Locale;

/** The scripts, one file for each verb. */
enum Script {
  CLAIM,
  RENEW,
  SETTLE,
  FIND,
  LIST,
  RESOLVE,
  PURGE;

  /** Where DONE marks are; each has a file that every script gets. */
  enum Marks {
    STRINGS(8),
    COMPACT(4);

    private final int nonceBytes;

    Marks(int nonceBytes) {
      this.nonceBytes = nonceBytes;
    }

    /** How many bytes of its nonce a DONE mark keeps; the files say the same. */
    int nonceBytes() {
      return nonceBytes;
    }

    /** The name of its file, and of the layout. */
    String written() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The verb, for a message. */
  final String verb() {
    return name().toLowerCase(Locale.ROOT);
  }
}
