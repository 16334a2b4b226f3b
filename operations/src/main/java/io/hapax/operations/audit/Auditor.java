package io.hapax.operations.audit;

import io.hapax.generation.Generations;
import io.hapax.internal.message.Identity;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.store.MarkAdmin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Compares messages that a caller reads with their marks.
 *
 * <p>An audit changes no mark. It looks marks up in batches, several at a time, while the caller
 * reads on; {@link #add} waits while two batches are in flight. An id takes about 100 bytes until
 * the audit ends. A message is dropped as soon as the mark of its id is known.
 *
 * <p>If a mark changes during the audit, the state at its look-up counts. For a PROCESSING mark the
 * audit asks the store for its time.
 *
 * <p>A message without a fingerprint is classified by its mark alone, although it may conflict with
 * it. A receiver would treat it by its {@link io.hapax.policy.MissingFingerprintPolicy}, which the
 * audit does not know.
 *
 * <p>For one thread.
 */
final class Auditor<M> implements TopicReader.Sink<M>, AutoCloseable {

  private static final Text NO_ID = Text.of("assessment.no-id");

  private final AuditSettings<M> settings;
  private final Identity<M> identity;
  private final ReadingAudit.Fields<M> fields;
  private final MarkAdmin store;
  private final MarkLookups lookups;
  private final StoreClock clock = new StoreClock();
  private final AuditCounts counts;
  private final Map<AuditedId, AuditedId> ids = new HashMap<>();
  private final FrequentIds frequent = new FrequentIds();
  private final int batchSize;
  private Batch collected = new Batch();
  private Batch inFlight = new Batch();

  private record ReadMessage(
      AuditedId id, MessageKey key, Fingerprint payload, Fingerprint headers, String coordinates) {}

  /** Messages that wait for the marks of their ids, in their order. */
  private static final class Batch {
    /** The first message of each id that is looked up with this batch. */
    private final List<ReadMessage> unknown = new ArrayList<>();

    private final List<ReadMessage> messages = new ArrayList<>();
    private List<Future<List<Mark>>> marks = List.of();
  }

  /**
   * Begins an audit.
   *
   * @throws io.hapax.store.StoreException if that generation cannot be read
   */
  Auditor(
      MarkAdmin store, AuditSettings<M> settings, ReadingAudit.Fields<M> fields, int batchSize) {
    this.store = store;
    this.batchSize = batchSize;
    this.settings = settings;
    this.fields = fields;
    this.identity = new Identity<>(
        new MessageKeys(Generations.scope(store, settings.consumer())),
        settings.ids(),
        settings.missingIds(),
        settings.fingerprint());
    this.lookups = new MarkLookups(store);
    this.counts = new AuditCounts(settings.samples());
  }

  /**
   * Adds a message, in the order of its partition or queue.
   *
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  @Override
  public void add(M message, String coordinates) throws InterruptedException {
    counts.message();
    MessageKey key = keyOf(message, coordinates);
    if (key == null) {
      return;
    }
    AuditedId id = ids.computeIfAbsent(new AuditedId(key), added -> added);
    frequent.counted(id, key.id(), ++id.messages);
    Fingerprint headers = fields.digest().apply(message);
    ReadMessage read = new ReadMessage(id, key, fingerprintOf(message), headers, coordinates);
    if (id.known) {
      classify(read);
      return;
    }
    collected.messages.add(read);
    if (id.messages == 1) {
      collected.unknown.add(read);
    }
    if (collected.unknown.size() >= batchSize || collected.messages.size() > 10 * batchSize) {
      lookUp();
    }
  }

  /** Adds a message that cannot be read. */
  @Override
  public void addUnreadable(String coordinates, String why) {
    counts.message();
    counts.missingId(coordinates, Text.plain(why));
  }

  private @Nullable MessageKey keyOf(M message, String coordinates) {
    Text why = NO_ID;
    try {
      Optional<MessageKey> own = identity.ownKeyOf(message);
      if (own.isPresent()) {
        return own.get();
      }
    } catch (RuntimeException | StackOverflowError e) {
      why = Text.plain(e.toString());
    }
    Optional<MessageKey> byCoordinates = identity.keyOf(coordinates);
    if (byCoordinates.isEmpty()) {
      boolean named = counts.wantsSampleOf(Finding.MISSING_ID);
      counts.missingId(
          coordinates, named ? Text.joined(List.of(why, fields.names().apply(message))) : why);
    }
    return byCoordinates.orElse(null);
  }

  private Fingerprint fingerprintOf(M message) {
    try {
      return identity.fingerprintOf(message);
    } catch (RuntimeException | StackOverflowError e) {
      return Fingerprint.NONE; // the message is classified by its mark alone
    }
  }

  /** Begins to look up the marks of the collected ids, and waits for those of the batch before. */
  private void lookUp() throws InterruptedException {
    Batch before = inFlight;
    inFlight = collected;
    collected = new Batch();
    inFlight.marks =
        lookups.begin(inFlight.unknown.stream().map(ReadMessage::key).toList());
    accept(before);
  }

  private void accept(Batch batch) throws InterruptedException {
    List<Mark> marks = MarkLookups.await(batch.marks);
    for (int i = 0; i < marks.size(); i++) {
      resolve(batch.unknown.get(i), marks.get(i));
    }
    batch.messages.forEach(this::classify);
  }

  private void resolve(ReadMessage first, Mark mark) {
    Instant now = mark.state() == MarkState.PROCESSING
        ? clock.now(() -> store.now(mark.key()))
        : Instant.EPOCH;
    Assessment assessment = Assessment.of(mark, now);
    Fingerprint payload = mark.claim()
        .fingerprint()
        .orElse(assessment.finding().wouldRun() ? first.payload() : Fingerprint.NONE);
    first.id().resolve(assessment, payload);
    boolean agrees = !payload.conflictsWith(first.payload());
    if (agrees && counts.wantsSampleOf(assessment.finding())) {
      counts.sample(new AuditSample(
          assessment.finding(),
          first.key().id().toString(),
          first.coordinates(),
          assessment.describe(mark)));
    }
  }

  private void classify(ReadMessage message) {
    AuditedId id = message.id();
    if (id.conflictsWith(message.payload())) {
      counts.conflict(message.key().id().toString(), message.coordinates());
    } else if (!id.agreed) {
      id.agreed = true;
      id.headers = message.headers().value();
    } else {
      counts.duplicate();
      if (!id.otherHeaders && id.headers != message.headers().value()) {
        id.otherHeaders = true;
        counts.otherHeaders(message.key().id().toString(), message.coordinates());
      }
    }
  }

  /**
   * Waits for all look-ups, and returns the report on the offsets that were read.
   *
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  AuditReport finish(List<ScannedRange> ranges) throws InterruptedException {
    lookUp();
    accept(inFlight);
    return counts.report(settings.consumer(), ids.keySet(), ranges, frequent.list());
  }

  /** Ends its threads. The store stays open. */
  @Override
  public void close() {
    lookups.close();
  }
}
