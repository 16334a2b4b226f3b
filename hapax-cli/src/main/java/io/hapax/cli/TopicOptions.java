package io.hapax.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the topics of a consumer, of which each may be missing. */
final class TopicOptions {

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "The topic that the consumer reads.")
  String topic = "";

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "The group of the consumer. With --topic, its lag and members are shown.")
  String group = "";

  @Option(
      names = "--dead-letters",
      paramLabel = "TOPIC",
      description = "The dead-letter topic of the consumer. With RocketMQ this is %%DLQ%% and the"
          + " group. Without this option only dead marks are shown.")
  String letters = "";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Refuses the options if there is no broker. */
  void refuseWithoutBroker() {
    if (!(topic + group + letters).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--topic, --group and --dead-letters need --bootstrap and --id");
    }
  }
}
