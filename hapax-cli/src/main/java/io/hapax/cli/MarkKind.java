package io.hapax.cli;

import io.hapax.store.MarkQuery;
import java.util.Locale;

/** The kinds of marks that may need an operator. */
enum MarkKind {
  /** The lease has expired and the message has not been redelivered. */
  STALE,
  /** It is unknown whether an earlier attempt took effect. */
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
