package io.hapax.redrive;

/**
 * What became of a dead letter, or of the message of an open mark; in a dry run what would become
 * of it.
 */
public sealed interface RedriveResult {

  /**
   * Why nothing was done, or what is to be known of what was.
   *
   * @return a reason for people; empty if there is none
   */
  default String why() {
    return "";
  }

  /**
   * Its message is published, and its mark lets it run, after the end of its lease if a late
   * renewal wrote it anew; or, if it had none because nobody could tell what message it is, whoever
   * it is delivered to looks again.
   *
   * @param unmarked whether the store has no mark of it, which
   *     {@link RedriveSettings#acceptUnmarked} allows: a retention has passed, or the generation
   *     was moved, and it runs; or this is not the consumer's store, and the consumer, whose mark
   *     is still DEAD, acknowledges it without running it; or the record is not one of Hapax's
   */
  record Published(boolean unmarked) implements RedriveResult {

    /** With nothing to be said of its mark. */
    public Published() {
      this(false);
    }

    @Override
    public String why() {
      return unmarked ? "there is no mark of it in this store" : "";
    }
  }

  /**
   * Nothing was done: its message has been done meanwhile, or is on its way already, or its mark
   * moved while it was looked at.
   *
   * @param why which of these, for people
   */
  record NotDead(String why) implements RedriveResult {}

  /**
   * Nothing was done: it is a letter of another consumer; or came from a topic that
   * {@link RedriveSettings#targets} does not name; or the store has no mark of it; or it has no
   * usable id, or another one than it died under; or died of a conflict, so that the mark under its
   * id is another message's; or had no mark and a DEAD one is under its id; or does not say where
   * it came from, or does not hold all of its message. Of an open mark: somebody holds it, or it is
   * none, or its message is not where it says.
   *
   * @param why which of these, for people
   * @param unmarked whether the reason is that the store has no mark of it
   */
  record Refused(String why, boolean unmarked) implements RedriveResult {

    /**
     * For another reason than a missing mark.
     *
     * @param why the reason, for people
     */
    public Refused(String why) {
      this(why, false);
    }
  }
}
