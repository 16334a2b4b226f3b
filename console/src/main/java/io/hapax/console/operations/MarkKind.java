package io.hapax.console.operations;

import io.hapax.store.MarkQuery;
import java.util.Locale;

/** The kinds of marks that may need an operator. */
public enum MarkKind {
  /** The lease has expired and the message has not been redelivered. */
  STALE,
  /** It is unknown whether an earlier attempt took effect. */
  IN_DOUBT,
  /** Dead-lettered. */
  DEAD;

  /** {@return the kind to ask a store for: the kind of the same name} */
  public MarkQuery.Kind asked() {
    return MarkQuery.Kind.valueOf(name());
  }

  /** {@return the name in reports: lower-case words} */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
