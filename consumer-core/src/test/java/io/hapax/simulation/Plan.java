package io.hapax.simulation;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What the dice have settled about a world before it begins. Each world has some kinds of faults
 * only, so that one kind is not always hidden behind another.
 *
 * @param broker what delivers
 * @param mode how the engine is used
 * @param policy what is done about doubts
 * @param processes how many consumers at a time
 * @param partitions how many partitions, or queues
 * @param ids how many messages
 * @param repeated which part of them is produced more than once
 * @param window how many messages an adapter hands in at once
 * @param redrives whether an operator brings dead letters back
 * @param faults which kinds of faults happen
 * @param faultsEnd when they stop
 * @param lanes how long the lanes of a log's consumer live
 */
record Plan(
    Broker broker,
    Mode mode,
    Policy policy,
    int processes,
    int partitions,
    int ids,
    double repeated,
    int window,
    boolean redrives,
    Set<Fault> faults,
    Duration faultsEnd,
    Lanes lanes) {

  /** How long lanes live. */
  enum Lanes {
    /** As long as a submission. */
    SUBMISSION,
    /** As long as the consumer, whose submissions hold several partitions. */
    CONSUMER,
    /** As long as a partition is assigned. */
    ASSIGNMENT
  }

  /** What delivers. */
  enum Broker {
    /** A log with committed offsets, as Kafka's. */
    LOG,
    /** A queue with acknowledgements of single messages, as RocketMQ's. */
    QUEUE
  }

  /** How the engine is used. */
  enum Mode {
    /** Leased, a handler for one message. */
    SINGLE,
    /** Leased, a handler for many. */
    BATCH,
    /** Marks and effects are committed together. */
    TRANSACTIONAL
  }

  /** What is done about doubts. */
  enum Policy {
    RERUN,
    PROBE,
    DEAD_LETTER
  }

  /** What may go wrong. */
  enum Fault {
    CRASH,
    FREEZE,
    STORE_DOWN,
    STORE_STALLS,
    CALLS_LOST,
    REPLIES_LOST,
    CALLS_LATE,
    MARKS_LOST,
    REBALANCE,
    HANDLER_FAILS,
    HANDLER_CRASHES,
    DEAD_LETTERS_REFUSED,
    POISON,
    /** The store answers what it knows and keeps nothing. */
    STORE_READ_ONLY
  }

  boolean transactional() {
    return mode == Mode.TRANSACTIONAL;
  }

  /**
   * Whether the submitting thread runs handlers: with a queue every second time, and always with a
   * log, where lanes live as long as a submission.
   */
  boolean handlesHere() {
    return window % 3 == 0;
  }

  /** Whether all messages that a queue's consumer submits at once are in one unordered lane. */
  boolean sharesLanes() {
    return partitions == 2;
  }

  /**
   * A plan.
   *
   * @param dice of the world
   * @param apart others, for what was thought of later: the worlds of before stay as they were
   */
  static Plan drawn(Dice dice, Dice apart) {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    double share = 0.15 + 0.6 * dice.fraction();
    Arrays.stream(Fault.values())
        .filter(it -> it != Fault.STORE_READ_ONLY && dice.chance(share))
        .forEach(faults::add);
    Mode mode = dice.oneOf(List.of(Mode.SINGLE, Mode.SINGLE, Mode.BATCH, Mode.TRANSACTIONAL));
    if (mode == Mode.TRANSACTIONAL) {
      faults.remove(Fault.MARKS_LOST); // a database loses marks and effects together
    }
    Broker broker = dice.chance(0.6) ? Broker.LOG : Broker.QUEUE;
    Policy policy = mode == Mode.TRANSACTIONAL || dice.chance(0.6)
        ? Policy.RERUN
        : dice.oneOf(List.of(Policy.PROBE, Policy.DEAD_LETTER));
    if (mode != Mode.TRANSACTIONAL && apart.chance(0.2)) {
      faults.add(Fault.STORE_READ_ONLY);
    }
    return new Plan(
        broker,
        mode,
        policy,
        dice.between(2, 3),
        dice.between(1, 3),
        dice.between(4, 9),
        0.8 * dice.fraction(),
        dice.between(1, 6),
        dice.chance(0.5) && mode != Mode.TRANSACTIONAL,
        faults,
        dice.between(Duration.ofSeconds(20), Duration.ofSeconds(80)),
        apart.oneOf(List.of(Lanes.values())));
  }
}
