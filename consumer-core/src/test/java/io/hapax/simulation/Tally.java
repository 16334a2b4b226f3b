package io.hapax.simulation;

/** How often what happened, to see that the worlds are not all quiet. */
final class Tally {

  int runs;
  int effects;
  int repeats;
  int takeovers;
  int fenced;
  int losses;
  int deadLetters;
  int crashes;
  int freezes;
  int rebalances;
  int failedCalls;
  int redriven;
  int ahead;
  int handledHere;
  int lookups;

  synchronized void add(Tally other) {
    runs += other.runs;
    effects += other.effects;
    repeats += other.repeats;
    takeovers += other.takeovers;
    fenced += other.fenced;
    losses += other.losses;
    deadLetters += other.deadLetters;
    crashes += other.crashes;
    freezes += other.freezes;
    rebalances += other.rebalances;
    failedCalls += other.failedCalls;
    redriven += other.redriven;
    ahead += other.ahead;
    handledHere += other.handledHere;
    lookups += other.lookups;
  }

  @Override
  public String toString() {
    return runs + " runs, " + effects + " effects, " + repeats + " repeats, " + takeovers
        + " takeovers, " + fenced + " fenced, " + losses + " lost marks, " + deadLetters
        + " dead letters, " + crashes + " crashes, " + freezes + " freezes, " + rebalances
        + " rebalances, " + failedCalls + " failed calls, " + redriven + " redriven, "
        + ahead + " ahead, "
        + handledHere + " handled by who polled, " + lookups + " looked up";
  }
}
