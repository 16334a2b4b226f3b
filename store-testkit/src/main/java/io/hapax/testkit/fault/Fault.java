package io.hapax.testkit.fault;

/**
 * What goes wrong with one command on its way through a {@link FaultProxy}, once. A
 * <em>command</em> is what a client sends between two replies, so a pipeline that is written at
 * once is one command, and its reply is all that the server sends before the client speaks again.
 *
 * @param loss what is lost
 * @param command the fault strikes this command, counted from 1 over all connections from the
 *     moment at which the fault was ordered
 * @param text only commands that contain this text count; empty: all count
 * @param passed so many bytes of the reply still reach the client; 0 unless a reply is lost
 * @param ending how the client's connection ends
 */
public record Fault(Loss loss, int command, String text, int passed, Ending ending) {

  /** What is lost. */
  public enum Loss {
    /** The server never sees the command: it finds its client gone. */
    COMMAND,
    /** The server has executed the command and answered it. */
    REPLY,
    /**
     * The client is cut off; the server sees the command at {@link FaultProxy#release()}, and its
     * client is there for it until then.
     */
    DELAYED_COMMAND
  }

  /** How a connection ends. */
  public enum Ending {
    /** With RST, as when a machine or a firewall has forgotten the connection. */
    RESET,
    /** With FIN, as when the other side closes it; some clients then send their command again. */
    CLOSE
  }

  /**
   * Checks the rules above.
   *
   * @param loss what is lost
   * @param command which command
   * @param text which commands count
   * @param passed how many bytes of the reply pass
   * @param ending how the connection ends
   */
  public Fault {
    if (command < 1) {
      throw new IllegalArgumentException("command is " + command + " but must be at least 1");
    }
    if (passed < 0 || (passed > 0 && loss != Loss.REPLY)) {
      throw new IllegalArgumentException(
          "passed is " + passed + " but must be 0, or positive if a reply is lost");
    }
  }

  /**
   * The next command never arrives.
   *
   * @return the fault
   */
  public static Fault lostCommand() {
    return new Fault(Loss.COMMAND, 1, "", 0, Ending.RESET);
  }

  /**
   * The next command is executed, and no byte of its reply arrives.
   *
   * @return the fault
   */
  public static Fault lostReply() {
    return new Fault(Loss.REPLY, 1, "", 0, Ending.RESET);
  }

  /**
   * The next command arrives when its sender has long given up.
   *
   * @return the fault
   */
  public static Fault delayedCommand() {
    return new Fault(Loss.DELAYED_COMMAND, 1, "", 0, Ending.RESET);
  }

  /**
   * The same for another command than the next.
   *
   * @param number 1 for the next, 2 for the one after it
   * @return the fault
   */
  public Fault ofCommand(int number) {
    return new Fault(loss, number, text, passed, ending);
  }

  /**
   * The same for the next command that contains a text.
   *
   * @param contained ASCII, as the protocol sends it
   * @return the fault
   */
  public Fault ofCommandWith(String contained) {
    return new Fault(loss, command, contained, passed, ending);
  }

  /**
   * The same, but the reply is cut off in its middle.
   *
   * @param bytes so many arrive
   * @return the fault
   */
  public Fault afterBytes(int bytes) {
    return new Fault(loss, command, text, bytes, ending);
  }

  /**
   * The same, but the connection is closed instead of reset.
   *
   * @return the fault
   */
  public Fault inGoodOrder() {
    return new Fault(loss, command, text, passed, Ending.CLOSE);
  }
}
