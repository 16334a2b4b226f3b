package io.hapax.mark;

/** An operator's decision on a mark. */
public enum Resolution {
  /** Let the message be handled again: RETRY, due at once, attempts and doubt cleared. */
  REOPEN,
  /** The message is known to have taken effect: DONE without running it. */
  FORCE_DONE
}
