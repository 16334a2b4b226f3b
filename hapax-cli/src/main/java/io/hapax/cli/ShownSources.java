package io.hapax.cli;

import io.hapax.console.action.ActionLog;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.Broker;
import io.hapax.operations.lookup.MessageSources;
import io.hapax.operations.lookup.TopicSearch;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.io.IOException;
import java.util.ArrayList;
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
    RecordsOfOne found = new RecordsOfOne(id);
    RedriveSettings settings =
        new RedriveSettings(targets.isEmpty() ? Set.of(Broker.NO_TARGET) : targets, false, found);
    try (Redriver redriver = deployment.requireBroker().redriver(deployment.store())) {
      var unused = redriver.plan(
          TopicPart.all(topic), StartingPoint.beginning(), DeadLetterSelection.all(), settings);
      return new DeadLetters(topic, found.samples, found.complete, Text.NONE);
    }
  }

  /** Collects the records of one message. They are all unless others may be of it, too. */
  private static final class RecordsOfOne implements RedriveControl {

    private final Bytes id;
    private final List<RedriveSample> samples = new ArrayList<>();
    private boolean complete = true;

    RecordsOfOne(Bytes id) {
      this.id = id;
    }

    @Override
    public boolean selects(StoredDeadLetter record) {
      complete &= !record.mayBeOf(id);
      return record.id().equals(Optional.of(id));
    }

    @Override
    public void taken(RedriveSample sample) {
      samples.add(sample);
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
