package io.hapax.testkit.fault;

/**
 * A fault that affects one command on its way through a {@link FaultProxy}, once. A
 * <em>command</em> is what a client sends between two replies. So a pipeline that is written at
 * once is one command, and its reply is all that the server sends before the client sends again.
 *
 * @param loss what is lost
 * @param command which command is affected, counted from 1 over all connections since the fault was
 *     set
 * @param passed the number of bytes of the reply that still reach the client; 0 unless a reply is
 *     lost
 * @param ending how the client's connection ends
 */
public record Fault(Loss loss, int command, int passed, Ending ending) {

  /** What is lost. */
  public enum Loss {
    /** The server never receives the command, and its connection ends. */
    COMMAND,
    /** The server has executed the command and answered it. */
    REPLY,
    /**
     * The client is disconnected. The server receives the command at {@link FaultProxy#release()};
     * its connection stays open until then.
     */
    DELAYED_COMMAND
  }

  /** How a connection ends. */
  public enum Ending {
    /** With RST, as when a machine or a firewall has lost the connection. */
    RESET,
    /** With FIN, as when the other subject closes it; some clients then repeat their command. */
    CLOSE
  }

  /** Loses the next command. */
  public static Fault lostCommand() {
    return new Fault(Loss.COMMAND, 1, 0, Ending.RESET);
  }

  /** Loses the whole reply to the next command, which is executed. */
  public static Fault lostReply() {
    return new Fault(Loss.REPLY, 1, 0, Ending.RESET);
  }

  /** Delays the next command until its sender has given up. */
  public static Fault delayedCommand() {
    return new Fault(Loss.DELAYED_COMMAND, 1, 0, Ending.RESET);
  }

  /** Changes which command is affected: 1 for the next, 2 for the one after it. */
  public Fault ofCommand(int number) {
    return new Fault(loss, number, passed, ending);
  }

  /** Cuts the reply off after some bytes. */
  public Fault afterBytes(int bytes) {
    return new Fault(loss, command, bytes, ending);
  }

  /** Closes the connection instead of resetting it. */
  public Fault inGoodOrder() {
    return new Fault(loss, command, passed, Ending.CLOSE);
  }
}
