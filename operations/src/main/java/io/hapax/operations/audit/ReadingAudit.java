package io.hapax.operations.audit;

import io.hapax.internal.message.Identity;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.FoundMessage;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.MarkAdmin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The audit of a topic, on any broker. For the brokers of this module, which make it.
 *
 * @param store the store of the marks; stays open
 * @param settings the consumer, and how it reads its messages
 * @param connect connects to the brokers, for each run
 * @param fields reads headers or properties
 * @param progress is notified of the progress
 * @param <M> the broker's message
 */
public record ReadingAudit<M>(
    MarkAdmin store,
    AuditSettings<M> settings,
    Supplier<? extends TopicReader<M>> connect,
    Fields<M> fields,
    AuditProgress progress)
    implements TopicAudit {

  /** How many marks are looked up together. */
  private static final int BATCH = 4_000;

  private static final int MOST_FOUND = 1_000;

  /**
   * What a message has outside of its payload.
   *
   * @param digest computes a digest of what remains if a message is sent again, without headers of
   *     tracing
   * @param names names the headers or properties of a message, for a report about a missing id
   * @param sentAt returns when it was sent, in milliseconds since 1970
   * @param <M> the broker's message
   */
  public record Fields<M>(
      Function<M, Fingerprint> digest, Function<M, Text> names, ToLongFunction<M> sentAt) {}

  @Override
  public AuditReport run(TopicPart part, Selection offsets) throws InterruptedException {
    try (TopicReader<M> reader = connect.get()) {
      List<ScannedRange> ranges = offsets.of(reader);
      try (Auditor<M> auditor = new Auditor<>(store, settings, fields, BATCH)) {
        reader.read(part, ranges, auditor, progress);
        return auditor.finish(ranges);
      }
    }
  }

  @Override
  public List<FoundMessage> find(String topic, Bytes id) throws InterruptedException {
    TopicPart part = TopicPart.all(topic);
    try (TopicReader<M> reader = connect.get()) {
      List<ScannedRange> ranges = reader.ranges(part, StartingPoint.beginning());
      Search<M> search = new Search<>(
          new Identity<>(
              new MessageKeys(settings.consumer()),
              settings.ids(),
              settings.missingIds(),
              settings.fingerprint()),
          MessageKey.of(settings.consumer(), id),
          fields.sentAt(),
          new ArrayList<>());
      reader.read(part, ranges, search, progress);
      return search.found();
    }
  }

  /** Keeps the messages of one id. */
  private record Search<M>(
      Identity<M> identity, MessageKey key, ToLongFunction<M> sentAt, List<FoundMessage> found)
      implements TopicReader.Sink<M> {

    @Override
    public void add(M message, String coordinates) {
      if (found.size() < MOST_FOUND
          && keyOf(message, coordinates).filter(key::equals).isPresent()) {
        int at = coordinates.lastIndexOf('@');
        found.add(new FoundMessage(
            coordinates.substring(0, at),
            Long.parseLong(coordinates.substring(at + 1)),
            Instant.ofEpochMilli(sentAt.applyAsLong(message))));
      }
    }

    private Optional<MessageKey> keyOf(M message, String coordinates) {
      try {
        return identity.ownKeyOf(message).or(() -> identity.keyOf(coordinates));
      } catch (RuntimeException | StackOverflowError e) {
        return identity.keyOf(coordinates); // as the receiver does: such a message has no id
      }
    }

    @Override
    public void addUnreadable(String coordinates, String why) {}
  }
}
