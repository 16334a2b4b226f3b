package io.hapax.servers;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The settings of each start of a server.
 *
 * @param directory the directory with data and log
 * @param port the port
 * @param settings the user's values of the server's own settings
 * @param startTimeout the longest time until it answers
 */
record ServerPlan(
    ServerDirectory directory, int port, Map<String, String> settings, Duration startTimeout) {

  ServerPlan {
    settings = Map.copyOf(settings);
    if (startTimeout.isNegative() || startTimeout.isZero()) {
      throw new IllegalArgumentException("startTimeout must be positive, is " + startTimeout);
    }
  }

  /** Returns {@code host:port}. */
  String address() {
    return Loopback.HOST + ':' + port;
  }

  /** Creates a process in the server's directory that writes its output to the server's log. */
  ProcessBuilder process(List<String> command) {
    return new ProcessBuilder(command)
        .directory(directory.path().toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()));
  }
}
