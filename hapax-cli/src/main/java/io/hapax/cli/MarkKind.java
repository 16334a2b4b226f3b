package io.hapax.cli;

import io.hapax.store.MarkQuery;
import java.util.Locale;

/** Marks that may want a person. */
enum MarkKind {
  /** The lease is over and the message has not come back. */
  STALE,
  /** Nobody knows whether an earlier attempt took effect. */
  IN_DOUBT,
  /** Dead-lettered. */
  DEAD;

  MarkQuery.Kind asked() {
    return MarkQuery.Kind.valueOf(name());
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
