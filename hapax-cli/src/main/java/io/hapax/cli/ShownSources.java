package io.hapax.cli;

import io.hapax.console.action.ActionLog;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.Broker;
import io.hapax.operations.lookup.MessageSources;
import io.hapax.operations.lookup.TopicSearch;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what is known of a message beside its mark: whole topics, because a command may wait. */
record ShownSources(Deployment deployment, Optional<ActionLog> log, boolean searches)
    implements MessageSources {

  @Override
  public DeadLetters letters(Bytes id, Optional<Mark> mark) throws Exception {
    String topic = deployment.letters();
    if (topic.isEmpty()) {
      return DeadLetters.NONE;
    }
    Set<String> targets = deployment.targets(topic);
    String name = "0x" + HexFormat.of().formatHex(id.toByteArray());
    try (Redriver redriver = deployment.requireBroker().redriver(deployment.store())) {
      List<RedriveSample> found = redriver
          .plan(
              TopicPart.all(topic),
              StartingPoint.beginning(),
              DeadLetterSelection.of(List.of(name)),
              new RedriveSettings(targets.isEmpty() ? Set.of(Broker.NO_TARGET) : targets, false))
          .samples()
          .stream()
          .filter(it -> it.record().id().filter(id::equals).isPresent())
          .toList();
      return new DeadLetters(topic, found, true, "");
    }
  }

  @Override
  public List<LoggedAction> actions(String id) throws IOException {
    return log.isPresent() ? log.get().about(id) : List.of();
  }

  @Override
  public Optional<TopicSearch> search(Bytes id) throws Exception {
    return searches
        ? Optional.of(Bar.shown(bar -> TopicSearch.run(
            deployment.requireBroker(),
            deployment.store(),
            deployment.topic(),
            deployment.group(),
            id,
            bar)))
        : Optional.empty();
  }

  /** Returns nothing if the group does not exist. */
  @Override
  public OptionalLong lag() throws Exception {
    if (deployment.topic().isEmpty() || deployment.group().isEmpty()) {
      return OptionalLong.empty();
    }
    try (GroupReplay group = deployment.requireBroker().replay(deployment.group())) {
      return OptionalLong.of(group.status(deployment.topic()).lag());
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public boolean canPublish() {
    return deployment.broker().isPresent();
  }

  /** Returns false: no command dead-letters a message. */
  @Override
  public boolean canDeadLetter() {
    return false;
  }
}
