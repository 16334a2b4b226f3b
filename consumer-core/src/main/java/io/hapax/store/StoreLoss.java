package io.hapax.store;

/**
 * A store, or a part of it, has lost marks. A message whose DONE mark was among them runs once more
 * if it is delivered again; an open mark is written anew by its owner.
 *
 * @param place which part, for people
 * @param extent what is gone there
 */
public record StoreLoss(String place, Extent extent) {

  /** How much is gone. */
  public enum Extent {
    /** All marks that were there. */
    EVERYTHING,
    /**
     * Perhaps the latest marks: another copy of the data answers, or the same one after a restart,
     * and nobody can say whether it has got all that was acknowledged before.
     */
    LATEST
  }

  /**
   * Checks what it is given.
   *
   * @param place which part, for people
   * @param extent what is gone there
   * @throws IllegalArgumentException if the place is blank
   */
  public StoreLoss {
    if (place.isBlank()) {
      throw new IllegalArgumentException("place is blank but must name a part of the store");
    }
  }
}
