package io.hapax.servers;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a server is started with, each time anew.
 *
 * @param directory where its data and its log are
 * @param port where it answers
 * @param settings what the user set of the server's own settings
 * @param startTimeout how long it may take until it answers
 */
record ServerPlan(
    ServerDirectory directory, int port, Map<String, String> settings, Duration startTimeout) {

  ServerPlan {
    settings = Map.copyOf(settings);
    if (startTimeout.isNegative() || startTimeout.isZero()) {
      throw new IllegalArgumentException("startTimeout must be positive, is " + startTimeout);
    }
  }

  /** {@code host:port}, where it answers. */
  String address() {
    return Loopback.HOST + ':' + port;
  }

  /** A process in the server's directory that writes all it says to the server's log. */
  ProcessBuilder process(List<String> command) {
    return new ProcessBuilder(command)
        .directory(directory.path().toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()));
  }
}
