package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.util.List;

/** One thing that is measured: the work of a role for a number of messages at once. */
record Contender(Operation operation, Role role, int batch) {

  /** The measured operations of a store; from {@link #RUN_ONCE} on, those of its transactions. */
  enum Operation {
    FRESH("claim + settle"),
    /** The claims alone of the same fresh ids. */
    CLAIM("  of that the claim"),
    KNOWN("claim of known ids"),
    /** Marks fresh ids done in one transaction with an effect for each. */
    RUN_ONCE("runOnce"),
    /** Marks ids that are done, in one transaction, as without a look-up. */
    KNOWN_ONCE("runOnce of known ids"),
    LOOK_UP("look-up of known ids");

    private final String title;

    Operation(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  enum Role {
    HAPAX,
    /** One round trip or commit for each command of each message. */
    FLOOR,
    /**
     * The server's own commands over the whole batch. They move the same bytes without a protocol.
     */
    LIMIT
  }

  /** The work of one thread. Used by one thread at a time. */
  @FunctionalInterface
  interface Task extends AutoCloseable {

    /** Runs a batch. Throws if a result is unexpected. */
    void run(List<ClaimRequest> batch) throws Exception;

    /** Returns the time of all claims so far, if the task does more than claim; otherwise 0. */
    default long claimNanos() {
      return 0;
    }

    @Override
    default void close() {}
  }

  /** Creates the messages of a call, before the clock runs. */
  List<ClaimRequest> messages(long known) {
    boolean transactional = operation.compareTo(Operation.RUN_ONCE) >= 0;
    return switch (operation) {
      case KNOWN, KNOWN_ONCE, LOOK_UP -> Messages.known(batch, transactional, known);
      default -> Messages.fresh(batch, transactional);
    };
  }
}
