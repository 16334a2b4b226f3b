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

  /** The layouts of DONE marks; each has a file that becomes part of every script. */
  enum Marks {
    STRINGS(8),
    COMPACT(4);

    private final int nonceBytes;

    Marks(int nonceBytes) {
      this.nonceBytes = nonceBytes;
    }

    /** Returns how many bytes of its nonce a DONE mark keeps; the files define the same number. */
    int nonceBytes() {
      return nonceBytes;
    }

    /** Returns the name of the layout, which is also that of its file. */
    String layoutName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the verb, for messages. */
  final String verb() {
    return name().toLowerCase(Locale.ROOT);
  }
}
