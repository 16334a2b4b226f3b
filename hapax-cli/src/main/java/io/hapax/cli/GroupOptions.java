package io.hapax.cli;

import io.hapax.audit.GroupReplay;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The consumer's group, which has to be stopped, and whom to ask. */
final class GroupOptions {

  @Option(
      names = "--group",
      required = true,
      paramLabel = "GROUP",
      description = "The consumer's group: refused while it has members.")
  private String group;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "A topic that it reads: the brokers that have it are asked.")
  private String topic;

  @ArgGroup(exclusive = false, multiplicity = "1")
  private BrokerOptions broker = new BrokerOptions();

  void requireStopped(String consumer, Duration patience) throws Exception {
    Broker connected = broker.connect(Reading.nothing(consumer), patience);
    try (GroupReplay replay = connected.replay(group)) {
      replay.requireStopped(topic);
    }
  }
}
