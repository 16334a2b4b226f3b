package io.hapax.store;

/**
 * A store, or a part of it, has lost marks. A message whose DONE mark was lost runs once more if it
 * is delivered again; an open mark is written anew by its owner.
 *
 * @param place the part of the store, for people
 * @param extent how much was lost
 */
public record StoreLoss(String place, Extent extent) {

  /** How much was lost. */
  public enum Extent {
    /** All marks. */
    EVERYTHING,
    /** Possibly marks of any age: the server evicts keys, because its memory is full. */
    EVICTED,
    /**
     * Possibly the latest marks: another copy of the data answers, or the same one after a restart,
     * and it is unknown whether it has everything that was acknowledged before.
     */
    LATEST
  }

  /**
   * Checks the place.
   *
   * @param place the part of the store, for people
   * @param extent how much was lost
   * @throws IllegalArgumentException if the place is blank
   */
  public StoreLoss {
    if (place.isBlank()) {
      throw new IllegalArgumentException("place is blank but must name a part of the store");
    }
  }
}
