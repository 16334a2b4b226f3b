package io.hapax.spring.transaction;

/** Where a process ends while it handles a message. */
enum CrashPoint {
  /** The message is claimed in a commit of its own: it is the first of its partition. */
  CLAIMED,
  /** The mark is written, and the listener is about to begin. */
  MARKED,
  /** The listener has written. JPA keeps its part back. */
  WRITTEN,
  /** JPA has sent its part. */
  FLUSHED,
  /** Callbacks before the commit run: the store has checked the mark. */
  CHECKED,
  /** The commit is about to be sent. */
  COMMITTING,
  /** The commit is answered, and Spring is about to hear of it. */
  COMMITTED,
  /** The receiver has its outcome, and the broker is about to hear of it. */
  FINISHED
}
