package io.hapax.audit;

import io.hapax.audit.PendingLookup.Answered;
import io.hapax.audit.PendingLookup.Met;
import io.hapax.generation.Generations;
import io.hapax.internal.message.Identity;
import io.hapax.internal.store.StoreTime;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges messages that somebody reads, by their marks. For adapters; users start an adapter's
 * audit.
 *
 * <p>It changes no mark. Marks are looked up in batches, several at once, while the caller reads
 * on; {@link #add} waits when too many are asked for. What is kept of an id is about 40 bytes for
 * as long as the audit lasts, and of a message nothing once its id's mark is known.
 *
 * <p>A mark that changes meanwhile is judged as it was when it was looked up. If a mark is open the
 * store is asked for its time, through a claim that it must refuse; besides {@code find} that is
 * the only verb that is used.
 *
 * <p>A message of which no fingerprint can be made is judged by its mark alone. It may be another
 * one than the mark's, and so in conflict; and a receiver would not run it but do what its
 * {@link io.hapax.policy.MissingFingerprintPolicy} says, of which an audit knows nothing.
 *
 * <p>For one thread.
 *
 * @param <M> the broker's message
 */
public final class Auditor<M> implements AutoCloseable {

  private static final int KNOWN = 32;
  private static final int AGREED = 16;
  private static final int IN_DOUBT = 8;
  private static final int FINDING = 7;

  private final AuditSettings<M> settings;
  private final Identity<M> identity;
  private final MarkLookups lookups;
  private final StoreTime time;
  private final AuditCounts tally;
  private final IdTable seen = new IdTable();
  private final Map<Integer, PendingLookup> pending = new HashMap<>();
  private List<PendingLookup> batch = new ArrayList<>();
  private int deferred;

  /**
   * Begins an audit.
   *
   * @param store where the marks are; stays open
   * @param settings whose marks: those of the consumer's present generation
   * @throws io.hapax.store.StoreException if that generation cannot be read
   */
  public Auditor(DedupStore store, AuditSettings<M> settings) {
    this.settings = settings;
    this.identity = new Identity<>(
        new MessageKeys(Generations.scope(store, settings.consumer())),
        settings.ids(),
        settings.missingIds(),
        settings.fingerprint());
    this.lookups = new MarkLookups(store, settings.lookups().atOnce());
    this.time = new StoreTime(store);
    this.tally = new AuditCounts(settings.samples());
  }

  /**
   * Takes a message, in the order of its partition or queue.
   *
   * @param message the message
   * @param coordinates where the broker keeps it, as the receiver's adapter writes it
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  public void add(M message, String coordinates) throws InterruptedException {
    tally.message();
    MessageKey key = keyOf(message, coordinates);
    if (key != null) {
      meet(key, new Met(fingerprintOf(message), coordinates));
    }
  }

  /**
   * Takes a message that cannot be read.
   *
   * @param coordinates where the broker keeps it
   * @param why what is wrong with it
   */
  public void addUnreadable(String coordinates, String why) {
    tally.message();
    tally.missingId(coordinates, why);
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
      tally.missingId(coordinates, why);
    }
    return byCoordinates.orElse(null);
  }

  private Fingerprint fingerprintOf(M message) {
    try {
      return identity.fingerprintOf(message);
    } catch (RuntimeException | StackOverflowError e) {
      return Fingerprint.NONE; // its mark alone is judged
    }
  }

  private void meet(MessageKey key, Met met) throws InterruptedException {
    int number = seen.find(key.high(), key.low());
    if (number < 0) {
      ask(PendingLookup.of(seen.add(key.high(), key.low()), key, met));
    } else if ((seen.note(number) & KNOWN) != 0) {
      judge(number, key, met);
    } else {
      defer(number, met);
    }
  }

  private void ask(PendingLookup asked) throws InterruptedException {
    pending.put(asked.number(), asked);
    batch.add(asked);
    if (batch.size() >= settings.lookups().batch()) {
      send();
      accept(lookups.poll());
      while (lookups.underWay() > 2 * settings.lookups().atOnce()) {
        accept(lookups.take());
      }
    }
  }

  private void send() {
    lookups.ask(batch);
    batch = new ArrayList<>(settings.lookups().batch());
  }

  /** Another message of an id whose mark is not known yet. */
  private void defer(int number, Met met) throws InterruptedException {
    PendingLookup asked = pending.get(number);
    if (asked == null) {
      throw new IllegalStateException("id " + number + " is neither known nor asked for");
    }
    asked.met().add(met);
    if (++deferred > 10 * settings.lookups().batch()) {
      awaitAll();
    }
  }

  private void awaitAll() throws InterruptedException {
    if (!batch.isEmpty()) {
      send();
    }
    while (lookups.underWay() > 0) {
      accept(lookups.take());
    }
  }

  private void accept(List<Answered> answers) {
    for (Answered answer : answers) {
      PendingLookup asked = answer.asked();
      pending.remove(asked.number());
      deferred -= asked.met().size() - 1;
      learn(asked, answer.mark());
      for (Met met : asked.met()) {
        judge(asked.number(), asked.key(), met);
      }
    }
  }

  private void learn(PendingLookup asked, Mark mark) {
    Instant now = mark.state() == MarkState.PROCESSING ? time.now(mark.key()) : Instant.EPOCH;
    Assessment judgement = Assessment.of(mark, now);
    Fingerprint first = asked.met().get(0).fingerprint();
    Fingerprint payload = mark.claim()
        .fingerprint()
        .orElse(judgement.finding().wouldRun() ? first : Fingerprint.NONE);
    seen.payload(asked.number(), payload.value());
    int doubt = judgement.inDoubt() ? IN_DOUBT : 0;
    seen.note(asked.number(), KNOWN | doubt | judgement.finding().number());
    boolean agrees = !payload.conflictsWith(first);
    if (agrees && tally.wantsSampleOf(judgement.finding())) {
      tally.sample(new AuditSample(
          judgement.finding(),
          asked.key().id().toString(),
          asked.met().get(0).coordinates(),
          Descriptions.of(mark, judgement)));
    }
  }

  private void judge(int number, MessageKey key, Met met) {
    byte note = seen.note(number);
    if (new Fingerprint(seen.payload(number)).conflictsWith(met.fingerprint())) {
      tally.conflict(key.id().toString(), met.coordinates());
    } else if ((note & AGREED) != 0) {
      tally.duplicate();
    } else {
      seen.note(number, note | AGREED);
      tally.id(new Assessment(Finding.of(note & FINDING), (note & IN_DOUBT) != 0));
    }
  }

  /**
   * Waits for the marks that are asked for, and reports.
   *
   * @param ranges what was read
   * @return the report
   * @throws InterruptedException if the thread was interrupted
   * @throws io.hapax.store.StoreException if marks cannot be looked up
   */
  public AuditReport finish(List<ScannedRange> ranges) throws InterruptedException {
    awaitAll();
    return tally.report(settings.consumer(), seen.size(), ranges);
  }

  /** Ends its threads. The store stays open. */
  @Override
  public void close() {
    lookups.close();
  }
}
