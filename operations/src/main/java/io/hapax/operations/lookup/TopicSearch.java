package io.hapax.operations.lookup;

import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import io.hapax.operations.Broker;
import io.hapax.operations.internal.ReportText;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.FoundMessage;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a search of a whole topic for the messages of one id has found.
 *
 * @param at when it ended, by the store's clock
 * @param topic the topic
 * @param messages the messages with the id
 * @param committed the offsets that the group had committed by then; empty if unknown
 */
public record TopicSearch(
    Instant at, String topic, List<FoundMessage> messages, Optional<Map<String, Long>> committed) {

  /**
   * Searches a topic. Changes nothing.
   *
   * @param broker the broker
   * @param store the store, which gives the time
   * @param topic the topic
   * @param group the group; may be empty
   * @param id the id
   * @param progress receives the progress
   * @return what was found
   * @throws IllegalArgumentException if the topic does not exist
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  public static TopicSearch run(
      Broker broker, DedupStore store, String topic, String group, Bytes id, AuditProgress progress)
      throws InterruptedException {
    List<FoundMessage> messages = broker.audit(store, progress).find(topic, id);
    Optional<Map<String, Long>> committed = group.isEmpty() || messages.isEmpty()
        ? Optional.empty()
        : Optional.of(broker.committed(group, topic));
    return new TopicSearch(store.now(MessageKey.of("search", id)), topic, messages, committed);
  }

  /**
   * {@return whether the group has acknowledged a message; empty if it has no offset there}
   *
   * @param message one of {@link #messages}
   */
  public Optional<Boolean> acknowledged(FoundMessage message) {
    return committed.map(it -> it.get(message.place())).map(next -> message.offset() < next);
  }

  /** {@return what was found, for people: lines, each with its line end} */
  public Text toText() {
    List<Text> lines = new ArrayList<>();
    lines.add(ReportText.line("audit.messages", messages.size(), Text.of("search.topic", topic)));
    for (FoundMessage message : messages) {
      Text state = acknowledged(message)
          .map(it -> Text.of(it ? "search.acknowledged" : "search.waits"))
          .orElse(Text.NONE);
      lines.add(Text.of("search.message", message.coordinates(), message.sentAt(), state));
    }
    return Text.lines(lines);
  }
}
