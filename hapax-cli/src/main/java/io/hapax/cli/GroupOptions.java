package io.hapax.cli;

import io.hapax.operations.Broker;
import io.hapax.operations.replay.GroupReplay;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for the check that the consumer's group is stopped. */
final class GroupOptions {

  @Option(
      names = "--group",
      required = true,
      paramLabel = "GROUP",
      description = "The consumer's group. The command is refused while it has members.")
  private String group;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "A topic that the group reads. The command asks the brokers of this topic.")
  private String topic;

  @ArgGroup(exclusive = false, multiplicity = "1")
  private BrokerOptions broker = new BrokerOptions();

  void requireStopped(String consumer, Duration patience) throws Exception {
    Broker connected = broker.connect(ReadingSettings.nothing(consumer), patience);
    try (GroupReplay replay = connected.replay(group)) {
      replay.requireStopped(topic);
    }
  }
}
