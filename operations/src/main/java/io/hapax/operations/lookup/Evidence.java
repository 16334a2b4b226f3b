package io.hapax.operations.lookup;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.operations.lookup.MessageEvent.Source;
import io.hapax.operations.lookup.MessageSources.DeadLetters;
import io.hapax.operations.lookup.MessageSources.LoggedAction;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.FoundMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the sources know of a message at a time, which is the store's. */
record Evidence(
    Optional<Mark> mark,
    Optional<Mark> earlier,
    DeadLetters letters,
    List<LoggedAction> actions,
    Optional<TopicSearch> search,
    Instant now) {

  /** Returns the events, oldest first. An action that has ended has no beginning. */
  List<MessageEvent> events() {
    List<MessageEvent> events = new ArrayList<>();
    earlier.ifPresent(it -> add(events, it, Source.EARLIER_MARK));
    search.ifPresent(it -> it.messages().forEach(found -> events.add(sent(found))));
    mark.ifPresent(it -> add(events, it, Source.MARK));
    letters.records().forEach(it -> events.add(dead(it.record())));
    for (int i = 0; i < actions.size(); i++) {
      LoggedAction action = actions.get(i);
      boolean ended = actions.subList(i + 1, actions.size()).stream()
          .anyMatch(it -> it.action().equals(action.action()) && it.user().equals(action.user()));
      if (!ended || !action.begins()) {
        events.add(new MessageEvent(
            Optional.of(action.at()),
            Source.ACTION_LOG,
            action.action(),
            "",
            0,
            action.user(),
            action.result()));
      }
    }
    events.sort(Comparator.comparing(it -> it.at().orElse(Instant.MIN)));
    return events;
  }

  private static MessageEvent sent(FoundMessage found) {
    return new MessageEvent(
        Optional.of(found.sentAt()), Source.TOPIC, "sent", found.coordinates(), 0, "", Text.NONE);
  }

  private static MessageEvent dead(StoredDeadLetter record) {
    return new MessageEvent(
        record.diedAt(),
        Source.DEAD_LETTERS,
        "dead-letter",
        record.coordinates(),
        record.metadata().attempts(),
        "",
        record.death());
  }

  private void add(List<MessageEvent> events, Mark of, Source source) {
    Origin origin = of.claim().origin();
    events.add(new MessageEvent(
        Optional.of(of.claimedAt()),
        source,
        "claimed",
        origin.coordinates(),
        of.claim().attempt().number(),
        origin.owner(),
        Text.NONE));
    String kind = switch (of.state()) {
      case PROCESSING -> "lease-ended";
      case RETRY -> "due";
      case DONE -> "done";
      case DEAD -> "dead";
      case ABSENT -> "";
    };
    if (!of.leasedAt(now)) {
      Text reason = of.state() == MarkState.DEAD ? Text.plain(of.detail()) : Text.NONE;
      events.add(new MessageEvent(Optional.of(of.until()), source, kind, "", 0, "", reason));
    }
  }
}
