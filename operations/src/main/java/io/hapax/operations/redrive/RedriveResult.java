package io.hapax.operations.redrive;

import io.hapax.operations.text.Text;

/**
 * The result of redriving a dead-letter record, or of redelivering the message of an open mark. In
 * a dry run, the result that it would have.
 */
public sealed interface RedriveResult {

  /** {@return the reason, or a remark on the result, for people; may be empty} */
  default Text why() {
    return Text.NONE;
  }

  /**
   * The message is published, and its mark lets it run. If a late renewal wrote the mark anew, it
   * runs after the end of that lease. If it was dead-lettered without a usable id or fingerprint,
   * the consumer checks it again.
   *
   * @param unmarked whether the store has no mark of the message, which
   *     {@link RedriveSettings#acceptUnmarked} allows. The retention has passed or the generation
   *     was moved: then it runs. Or this is not the consumer's store: then the consumer, whose mark
   *     is still DEAD, acknowledges it without running it. Or Hapax did not write the record
   */
  record Published(boolean unmarked) implements RedriveResult {

    /** The usual case: the store has a mark of the message. */
    public Published() {
      this(false);
    }

    @Override
    public Text why() {
      return unmarked ? Text.of("mark.none") : Text.NONE;
    }
  }

  /**
   * Nothing was changed: the message has been done since, or is on its way.
   *
   * @param why which of these, for people
   */
  record NotDead(Text why) implements RedriveResult {}

  /**
   * Nothing was changed, for one of these reasons:
   *
   * <ul>
   *   <li>The record is another consumer's, does not say where its message came from, or does not
   *       hold all of it.
   *   <li>{@link RedriveSettings#targets} does not name the topic that it came from.
   *   <li>The message has no usable id, or another one than when it was dead-lettered.
   *   <li>The store has no mark of it.
   *   <li>The mark under its id may be another message's: it died of a conflict, or it had no mark
   *       and the one under its id is DEAD.
   *   <li>Its mark changed each time after it was read.
   *   <li>An open mark: an owner holds its lease, the mark is not open, or its message is not at
   *       its coordinates.
   * </ul>
   *
   * @param why which of these, for people
   * @param unmarked whether the reason is that the store has no mark of it
   */
  record Refused(Text why, boolean unmarked) implements RedriveResult {

    /**
     * Refused for another reason than a missing mark.
     *
     * @param why the reason, for people
     */
    public Refused(Text why) {
      this(why, false);
    }
  }
}
