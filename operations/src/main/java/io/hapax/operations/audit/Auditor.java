package io.hapax.operations.audit;

import io.hapax.generation.Generations;
import io.hapax.internal.message.Identity;
import io.hapax.internal.store.StoreTime;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.operations.audit.PendingLookup.Answer;
import io.hapax.operations.audit.PendingLookup.ReadMessage;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares messages that a caller reads with their marks.
 *
 * <p>An audit changes no mark. It looks marks up in batches, several at a time, while the caller
 * reads on; {@link #add} waits when too many look-ups are in flight. An id takes about 52 bytes
 * until the audit ends. A message is dropped as soon as the mark of its id is known.
 *
 * <p>If a mark changes during the audit, the state at its look-up counts. For a PROCESSING mark the
 * audit asks the store for its time, through a claim that the store must refuse. Besides that claim
 * it uses {@code find} only.
 *
 * <p>A message without a fingerprint is classified by its mark alone, although it may conflict with
 * it. A receiver would treat it by its {@link io.hapax.policy.MissingFingerprintPolicy}, which the
 * audit does not know.
 *
 * <p>For one thread.
 *
 * @param <M> the broker's message
 */
final class Auditor<M> implements TopicReader.Sink<M>, AutoCloseable {

  private static final int OTHER_HEADERS = 64;
  private static final int KNOWN = 32;
  private static final int AGREED = 16;
  private static final int IN_DOUBT = 8;
  private static final int FINDING = 7;

  private final AuditSettings<M> settings;
  private final Identity<M> identity;
  private final ReadingAudit.Fields<M> fields;
  private final MarkLookups lookups;
  private final StoreTime time;
  private final AuditCounts counts;
  private final IdTable ids = new IdTable();
  private final FrequentIds frequent = new FrequentIds();
  private final Map<Integer, PendingLookup> pending = new HashMap<>();
  private List<PendingLookup> batch = new ArrayList<>();
  private int waiting;

  /**
   * Begins an audit.
   *
   * @param store the store of the marks; stays open
   * @param settings the consumer, whose present generation is audited
   * @param fields reads headers or properties
   * @throws io.hapax.store.StoreException if that generation cannot be read
   */
  Auditor(DedupStore store, AuditSettings<M> settings, ReadingAudit.Fields<M> fields) {
    this.settings = settings;
    this.fields = fields;
    this.identity = new Identity<>(
        new MessageKeys(Generations.scope(store, settings.consumer())),
        settings.ids(),
        settings.missingIds(),
        settings.fingerprint());
    this.lookups = new MarkLookups(store, settings.lookups().atOnce());
    this.time = new StoreTime(store);
    this.counts = new AuditCounts(settings.samples());
  }

  /**
   * Adds a message, in the order of its partition or queue.
   *
   * @param message the message
   * @param coordinates where the broker keeps it, as the receiver's adapter writes it
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  @Override
  public void add(M message, String coordinates) throws InterruptedException {
    counts.message();
    MessageKey key = keyOf(message, coordinates);
    if (key != null) {
      Fingerprint headers = fields.digest().apply(message);
      add(key, new ReadMessage(fingerprintOf(message), headers, coordinates));
    }
  }

  /**
   * Adds a message that cannot be read.
   *
   * @param coordinates where the broker keeps it
   * @param why what is wrong with it
   */
  @Override
  public void addUnreadable(String coordinates, String why) {
    counts.message();
    counts.missingId(coordinates, why);
  }

  private @Nullable MessageKey keyOf(M message, String coordinates) {
    String why = "no id";
    try {
      Optional<MessageKey> own = identity.ownKeyOf(message);
      if (own.isPresent()) {
        return own.get();
      }
    } catch (RuntimeException | StackOverflowError e) {
      why = e.toString();
    }
    Optional<MessageKey> byCoordinates = identity.keyOf(coordinates);
    if (byCoordinates.isEmpty()) {
      boolean named = counts.wantsSampleOf(Finding.MISSING_ID);
      counts.missingId(coordinates, named ? why + fields.names().apply(message) : why);
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

  private void add(MessageKey key, ReadMessage message) throws InterruptedException {
    int known = ids.find(key.high(), key.low());
    int number = known < 0 ? ids.add(key.high(), key.low()) : known;
    frequent.counted(number, key.id(), ids.count(number));
    if (known < 0) {
      lookUp(PendingLookup.of(number, key, message));
    } else if ((ids.flags(number) & KNOWN) != 0) {
      classify(number, key, message);
    } else {
      addWaiting(number, message);
    }
  }

  private void lookUp(PendingLookup lookup) throws InterruptedException {
    pending.put(lookup.number(), lookup);
    batch.add(lookup);
    if (batch.size() >= settings.lookups().batch()) {
      send();
      accept(lookups.poll());
      while (lookups.inFlight() > 2 * settings.lookups().atOnce()) {
        accept(lookups.take());
      }
    }
  }

  private void send() {
    lookups.lookUp(batch);
    batch = new ArrayList<>(settings.lookups().batch());
  }

  /** Keeps another message of an id until the mark of that id is known. */
  private void addWaiting(int number, ReadMessage message) throws InterruptedException {
    PendingLookup lookup = pending.get(number);
    if (lookup == null) {
      throw new IllegalStateException("id " + number + " is neither known nor being looked up");
    }
    lookup.messages().add(message);
    if (++waiting > 10 * settings.lookups().batch()) {
      awaitAll();
    }
  }

  private void awaitAll() throws InterruptedException {
    if (!batch.isEmpty()) {
      send();
    }
    while (lookups.inFlight() > 0) {
      accept(lookups.take());
    }
  }

  private void accept(List<Answer> answers) {
    for (Answer answer : answers) {
      PendingLookup lookup = answer.lookup();
      pending.remove(lookup.number());
      waiting -= lookup.messages().size() - 1;
      resolve(lookup, answer.mark());
      for (ReadMessage message : lookup.messages()) {
        classify(lookup.number(), lookup.key(), message);
      }
    }
  }

  private void resolve(PendingLookup lookup, Mark mark) {
    Instant now = mark.state() == MarkState.PROCESSING ? time.now(mark.key()) : Instant.EPOCH;
    Assessment assessment = Assessment.of(mark, now);
    Fingerprint first = lookup.messages().get(0).fingerprint();
    Fingerprint payload = mark.claim()
        .fingerprint()
        .orElse(assessment.finding().wouldRun() ? first : Fingerprint.NONE);
    ids.payload(lookup.number(), payload.value());
    int doubt = assessment.inDoubt() ? IN_DOUBT : 0;
    ids.flags(lookup.number(), KNOWN | doubt | assessment.finding().number());
    boolean agrees = !payload.conflictsWith(first);
    if (agrees && counts.wantsSampleOf(assessment.finding())) {
      counts.sample(new AuditSample(
          assessment.finding(),
          lookup.key().id().toString(),
          lookup.messages().get(0).coordinates(),
          Descriptions.of(mark, assessment)));
    }
  }

  private void classify(int number, MessageKey key, ReadMessage message) {
    byte flags = ids.flags(number);
    if (new Fingerprint(ids.payload(number)).conflictsWith(message.fingerprint())) {
      counts.conflict(key.id().toString(), message.coordinates());
    } else if ((flags & AGREED) != 0) {
      counts.duplicate();
      if ((flags & OTHER_HEADERS) == 0
          && ids.headers(number) != message.headers().value()) {
        ids.flags(number, flags | OTHER_HEADERS);
        counts.otherHeaders(key.id().toString(), message.coordinates());
      }
    } else {
      ids.flags(number, flags | AGREED);
      ids.headers(number, message.headers().value());
      counts.id(new Assessment(Finding.of(flags & FINDING), (flags & IN_DOUBT) != 0));
    }
  }

  /**
   * Waits for all look-ups, and returns the report.
   *
   * @param ranges the offsets that were read
   * @return the report
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  AuditReport finish(List<ScannedRange> ranges) throws InterruptedException {
    awaitAll();
    return counts.report(settings.consumer(), ids.size(), ranges, frequent.list());
  }

  /** Ends its threads. The store stays open. */
  @Override
  public void close() {
    lookups.close();
  }
}
