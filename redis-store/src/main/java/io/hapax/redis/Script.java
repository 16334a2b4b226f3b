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
    STRINGS,
    COMPACT;

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
