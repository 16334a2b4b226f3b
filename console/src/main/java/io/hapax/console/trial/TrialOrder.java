package io.hapax.console.trial;

/**
 * An order of a demo.
 *
 * @param id the id of the order
 * @param hapax how often it was booked with Hapax
 * @param loop how often the plain loop booked it
 * @param explained whether Hapax has counted an event for each repeat, which leased mode permits
 */
public record TrialOrder(String id, long hapax, long loop, boolean explained) {

  /**
   * {@return how often a lane booked the order}
   *
   * @param lane the lane
   */
  public long booked(TrialLane lane) {
    return lane == TrialLane.HAPAX ? hapax : loop;
  }

  /**
   * {@return whether counted events explain the repeats of a lane}
   *
   * @param lane the lane
   */
  public boolean explained(TrialLane lane) {
    return lane == TrialLane.HAPAX && explained;
  }
}
