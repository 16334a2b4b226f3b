package io.hapax.cli;

import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that choose a part of a topic. */
final class PartOptions {

  @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "The topic.")
  private String topic;

  @Option(
      names = "--partition",
      paramLabel = "N",
      split = ",",
      description = "Only these partitions or queues of the topic.")
  private Set<Integer> partitions = Set.of();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      defaultValue = "beginning",
      description = {
        "The start (${DEFAULT-VALUE}): beginning, offset:N,",
        "or a time as 2026-11-21T10:00:00Z."
      })
  private String from;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  TopicPart part() {
    return new TopicPart(topic, partitions);
  }

  StartingPoint from() {
    try {
      return StartingPoint.parse(from);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--from is " + from
              + " but must be beginning, a time as 2026-11-21T10:00:00Z, or offset:N",
          e);
    }
  }
}
