package io.hapax.operations.audit;

import io.hapax.mark.Mark;

/** Describes marks for people who look for a message. */
final class Descriptions {

  private Descriptions() {}

  static String of(Mark mark, Assessment assessment) {
    String doubt = assessment.inDoubt() ? ", may have taken effect" : "";
    return switch (assessment.finding()) {
      case IN_FLIGHT, STALE -> "claimed by " + owner(mark) + " at " + mark.claimedAt() + doubt;
      case RETRY ->
        "after attempt " + mark.claim().attempt().number() + ", due from " + mark.until() + doubt;
      case DEAD -> mark.detail().toString();
      default -> "";
    };
  }

  private static String owner(Mark mark) {
    String owner = mark.claim().origin().owner();
    return owner.isEmpty() ? "an unknown owner" : owner;
  }
}
