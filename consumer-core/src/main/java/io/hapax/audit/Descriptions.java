package io.hapax.audit;

import io.hapax.mark.Mark;

/** What a mark says to a person who looks for the message. */
final class Descriptions {

  private Descriptions() {}

  static String of(Mark mark, Assessment judgement) {
    String doubt = judgement.inDoubt() ? ", may have taken effect" : "";
    return switch (judgement.finding()) {
      case IN_FLIGHT, STALE -> "claimed by " + owner(mark) + " at " + mark.claimedAt() + doubt;
      case RETRY ->
        "after attempt " + mark.claim().attempt().number() + ", due from " + mark.until() + doubt;
      case DEAD -> mark.detail().toString();
      default -> "";
    };
  }

  private static String owner(Mark mark) {
    String owner = mark.claim().origin().owner();
    return owner.isEmpty() ? "somebody" : owner;
  }
}
