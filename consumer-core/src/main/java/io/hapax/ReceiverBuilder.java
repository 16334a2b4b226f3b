package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.Engines;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Builds an {@link IdempotentReceiver}: the one page of settings. It is long because most of it is
 * their contract.
 *
 * <p>While a handler runs for one message, its lines in the log carry {@code hapax.messageId} and
 * {@code hapax.attempt} in SLF4J's MDC; see {@code docs/observability.md}.
 *
 * @param <M> the broker's message
 */
public final class ReceiverBuilder<M> {

  private final String consumerName;
  private Optional<IdExtractor<M>> ids = Optional.empty();
  private MissingIdPolicy missingIds = MissingIdPolicy.DEAD_LETTER;
  private Optional<Function<M, Fingerprint>> fingerprint = Optional.empty();
  private MissingFingerprintPolicy missingFingerprints = MissingFingerprintPolicy.DEAD_LETTER;
  private Optional<ConflictPolicy<M>> conflicts = Optional.empty();
  private TooOldPolicy tooOld = TooOldPolicy.PROCESS;
  private LeaseSettings lease = LeaseSettings.DEFAULT;
  private RetrySettings retry = RetrySettings.DEFAULT;
  private Predicate<Throwable> notRetryable = error -> false;
  private Optional<InProcessRetry> inProcessRetry = Optional.empty();
  private int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
  private Duration drainTimeout = Duration.ofSeconds(20);
  private Optional<DeadLetterPublisher<M>> deadLetters = Optional.empty();
  private Duration deadLetterTimeout = EngineSettings.Reporting.DEAD_LETTER_TIMEOUT;
  private final List<ReceiverListener> listeners = new ArrayList<>();
  private Optional<StaleMarkSettings> staleMarks = Optional.empty();
  private Optional<Duration> handlerTimeout = Optional.empty();
  private int resultLimit = 4 * 1024;
  private Optional<DuplicateHandler<M>> duplicates = Optional.empty();
  private UnknownOutcomePolicy<M> onUnknownOutcome = UnknownOutcomePolicy.rerun();
  private Optional<DoneCacheSettings> doneCache = Optional.empty();
  private StoreOutagePolicy storeOutage = StoreOutagePolicy.failClosed();

  ReceiverBuilder(String consumerName) {
    this.consumerName = consumerName;
  }

  /**
   * How to find a message's id. Required.
   *
   * @param extractor the extractor
   * @return this
   */
  public ReceiverBuilder<M> id(IdExtractor<M> extractor) {
    this.ids = Optional.of(required(extractor, "id"));
    return this;
  }

  /**
   * What to do with a message that has no usable id. Default {@link MissingIdPolicy#DEAD_LETTER}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> missingId(MissingIdPolicy policy) {
    this.missingIds = required(policy, "missingId");
    return this;
  }

  /**
   * How to tell payloads apart: another payload under a known id is a producer's mistake, not a
   * duplicate; {@link #onConflict} says what becomes of it. This or {@link #noFingerprint()} is
   * required.
   *
   * <p>The function must give the same fingerprint for the same message for as long as its mark is
   * kept, also in the next version of the service: with another function every known message that
   * is delivered once more is a conflict. {@link io.hapax.mark.Resolution} has two decisions for an
   * id that another payload took.
   *
   * @param function the fingerprint of a message, best over the bytes of its value; if it throws,
   *     {@link #missingFingerprint} speaks
   * @return this
   */
  public ReceiverBuilder<M> fingerprint(Function<M, Fingerprint> function) {
    this.fingerprint = Optional.of(required(function, "fingerprint"));
    return this;
  }

  /**
   * What to do with a message of which no fingerprint can be made. Default
   * {@link MissingFingerprintPolicy#DEAD_LETTER}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> missingFingerprint(MissingFingerprintPolicy policy) {
    this.missingFingerprints = required(policy, "missingFingerprint");
    return this;
  }

  /**
   * Compares no payloads: another payload under a known id passes as a duplicate and is
   * acknowledged without running.
   *
   * @return this
   */
  public ReceiverBuilder<M> noFingerprint() {
    return fingerprint(message -> Fingerprint.NONE);
  }

  /**
   * What to do with a message whose id is known with another payload. Default: it is dead-lettered
   * ({@link ConflictPolicy.Decision#DEAD_LETTER}).
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> onConflict(ConflictPolicy<M> policy) {
    this.conflicts = Optional.of(required(policy, "onConflict"));
    return this;
  }

  /**
   * What to do with a message that was sent longer ago than the store remembers what was done, and
   * of which it knows nothing: a replay from beyond the dedup window looks like that. Needs the
   * time at which the message was sent, which the adapters for Kafka and RocketMQ hand in. Default
   * {@link TooOldPolicy#PROCESS}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> tooOld(TooOldPolicy policy) {
    this.tooOld = required(policy, "tooOld");
    return this;
  }

  /**
   * How long claims live. Default {@link LeaseSettings#DEFAULT}.
   *
   * @param settings the settings
   * @return this
   */
  public ReceiverBuilder<M> lease(LeaseSettings settings) {
    this.lease = settings;
    return this;
  }

  /**
   * How failed messages are tried again. Default {@link RetrySettings#DEFAULT}.
   * {@link io.hapax.resilience4j.Resilience4jRetry#from} converts a {@code RetryConfig} of
   * resilience4j.
   *
   * @param settings the settings
   * @return this
   */
  public ReceiverBuilder<M> retry(RetrySettings settings) {
    this.retry = settings;
    return this;
  }

  /**
   * Names errors of the handler after which no further attempt can succeed. A message that fails
   * with one goes straight to the dead letters as {@link DeadLetter.Kind#NOT_RETRYABLE}, however
   * many attempts are left.
   *
   * <p>Two kinds of errors are not retryable whatever is set here: a
   * {@link RejectedMessageException}, and an error that says that the message cannot be converted.
   * Such are {@code ObjectStreamException}, {@code SerializationException} of Kafka, the conversion
   * errors of Spring and Spring Kafka, and the parsing errors of Jackson, Gson, fastjson and
   * Protocol Buffers, also inside of exceptions of {@code java.*} that are no
   * {@link java.io.IOException}. They are tried again if one of their causes does not come from the
   * data, as a timeout, or if the handling limit or closing interrupted the call. Causes that come
   * from the data are {@code IllegalArgumentException}, {@code DateTimeException},
   * {@code ArithmeticException}, {@code ClassCastException}, {@code NullPointerException},
   * {@code IndexOutOfBoundsException}, {@code StackOverflowError} and
   * {@code CharacterCodingException}. A handler that parses the <em>answer of a downstream</em> has
   * to wrap their errors in an {@code IOException} or an exception of its own: that is tried again.
   *
   * <p>It says nothing of the effect: in leased mode an error that is no
   * {@link NotAppliedException} leaves it in doubt, and the dead letter says so
   * ({@link DeadLetter#inDoubt()}); under {@link UnknownOutcomePolicy#deadLetter()} its kind is
   * then {@link DeadLetter.Kind#IN_DOUBT}. A downstream is not asked first. Of a call with many
   * messages nobody knows which it was: they are handled one by one, and only what fails alone is
   * dead-lettered. While the target of the dead letters refuses the record, the message is handled
   * again like any other that failed.
   *
   * @param errors true for such an error; called on a worker thread with what the handler threw,
   *     not with its causes. If it throws, the error counts as one that may be tried again
   * @return this
   */
  public ReceiverBuilder<M> notRetryable(Predicate<Throwable> errors) {
    this.notRetryable = required(errors, "notRetryable");
    return this;
  }

  /**
   * How a handler that failed before anything happened is called again at once, under the same
   * claim. In leased mode only. Default: it is not.
   *
   * @param settings the settings; no wait may be longer than the margin of {@link #lease}
   * @return this
   */
  public ReceiverBuilder<M> inProcessRetry(InProcessRetry settings) {
    this.inProcessRetry = Optional.of(settings);
    return this;
  }

  /**
   * How many handlers run at once, each for another lane. Default: the number of processors, at
   * least 2.
   *
   * @param count 1 to 1000
   * @return this
   */
  public ReceiverBuilder<M> workers(int count) {
    this.workers = count;
    return this;
  }

  /**
   * How long {@link IdempotentReceiver#close()} waits for running handlers. Default 20 s.
   *
   * @param timeout not negative
   * @return this
   */
  public ReceiverBuilder<M> drainTimeout(Duration timeout) {
    this.drainTimeout = timeout;
    return this;
  }

  /**
   * How long one call of the handler may take. After this time it is interrupted, and its leases
   * are renewed no more. If it ends then, it has failed like any other; one that ignores the
   * interrupt is named by {@link IdempotentReceiver#problems()}, keeps its thread and its lane, and
   * no other handler is started for its messages in this process until it ends. Default: no limit.
   *
   * @param limit positive; longer than the slowest call that is still welcome
   * @return this
   */
  public ReceiverBuilder<M> handlerTimeout(Duration limit) {
    this.handlerTimeout = Optional.of(limit);
    return this;
  }

  /**
   * How long a result may be that is kept with a DONE mark. Each mark may take as much room in the
   * store for the whole of its retention. Default 4096.
   *
   * @param bytes 0 to 65536
   * @return this
   */
  public ReceiverBuilder<M> resultLimit(int bytes) {
    this.resultLimit = bytes;
    return this;
  }

  /**
   * Who is handed each duplicate before it may be acknowledged, with the result of the first.
   * Default nobody: duplicates are acknowledged in silence.
   *
   * @param handler the handler
   * @return this
   */
  public ReceiverBuilder<M> onDuplicate(DuplicateHandler<M> handler) {
    this.duplicates = Optional.of(required(handler, "onDuplicate"));
    return this;
  }

  /**
   * Where messages go that will not be tried again. Without it such a message stops its lane until
   * an operator acts; with a concurrent RocketMQ listener it alone comes again and again.
   *
   * @param publisher the publisher
   * @return this
   */
  public ReceiverBuilder<M> deadLetters(DeadLetterPublisher<M> publisher) {
    this.deadLetters = Optional.of(publisher);
    return this;
  }

  /**
   * Limits the time of one call of the publisher of {@link #deadLetters}. After it the call is
   * interrupted and counts as failed: the message is not acknowledged,
   * {@link IdempotentReceiver#health()} names it with the reason, and the publisher is called again
   * after the backoff of {@link #retry}. A publisher that ignores the interrupt is named until it
   * returns; it keeps its thread and its lane. If the record of an interrupted call arrives at the
   * broker all the same, the message has two dead-letter records under one id. Default 1 minute.
   *
   * @param timeout positive; longer than what the publisher itself waits for its broker
   * @return this
   */
  public ReceiverBuilder<M> deadLetterTimeout(Duration timeout) {
    this.deadLetterTimeout = required(timeout, "deadLetterTimeout");
    return this;
  }

  /**
   * Who is told what happens. Each call adds one, and all are told, in the order in which they were
   * added; what one of them throws is kept from the others. Default nobody.
   *
   * @param observer the listener
   * @return this
   */
  public ReceiverBuilder<M> listener(ReceiverListener observer) {
    listeners.add(required(observer, "listener"));
    return this;
  }

  /**
   * Counts stale marks and those in doubt now and then, for {@link ReceiverListener#onStaleMarks},
   * {@link IdempotentReceiver#health()} and the log. Each instance counts for itself, through
   * {@link DedupStore#list}: that costs Redis an index read, but a database goes along the index of
   * all its marks, some seconds for each million, so that there the interval should be long, or
   * only one instance count. Default: nobody counts.
   *
   * @param settings how often, and up to how many
   * @return this
   */
  public ReceiverBuilder<M> countStaleMarks(StaleMarkSettings settings) {
    this.staleMarks = Optional.of(required(settings, "countStaleMarks"));
    return this;
  }

  /**
   * What to do with a message whose earlier attempt may have taken effect, in leased mode. Default
   * {@link UnknownOutcomePolicy#rerun()}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> onUnknownOutcome(UnknownOutcomePolicy<M> policy) {
    this.onUnknownOutcome = required(policy, "onUnknownOutcome");
    return this;
  }

  /**
   * Remembers in this process which messages are DONE, so that their duplicates cost no call to the
   * store, in leased mode. It knows what the store accepted or answered, with its fingerprint;
   * another payload under a known id is left to the store to judge, and so are duplicates of
   * messages with a result. Whatever the store reports to have lost makes it forget everything.
   * Only an operator's word does not reach it: a DONE mark that is reopened goes unseen for up to
   * {@link DoneCacheSettings#maxAge()}. Default: the store is always asked.
   *
   * @param settings how many, and for how long
   * @return this
   */
  public ReceiverBuilder<M> doneCache(DoneCacheSettings settings) {
    this.doneCache = Optional.of(required(settings, "doneCache"));
    return this;
  }

  /**
   * What to do while the store does not answer. Default {@link StoreOutagePolicy#failClosed()}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> storeOutage(StoreOutagePolicy policy) {
    this.storeOutage = required(policy, "storeOutage");
    return this;
  }

  /**
   * Builds a receiver in leased mode: the handler may do anything, the mark lives in its own place.
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @return a running receiver
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> leased(DedupStore store, MessageHandler<M> handler) {
    return new IdempotentReceiver<>(
        Engines.leased(
            settings(),
            required(store, "store"),
            LoggingContext.message(required(handler, "handler")),
            SystemTime.INSTANCE),
        false);
  }

  /**
   * Builds a receiver in leased mode whose handler returns results, which are kept for duplicates.
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @return a running receiver
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> answering(DedupStore store, AnsweringHandler<M> handler) {
    return new IdempotentReceiver<>(
        Engines.answering(
            settings(),
            required(store, "store"),
            LoggingContext.answering(required(handler, "handler")),
            SystemTime.INSTANCE),
        false);
  }

  /**
   * Builds a receiver in leased mode whose handler takes many messages at once. A call that fails
   * costs each of its messages an attempt; their next attempts are calls for one message each. So
   * {@link #retry} must allow two attempts at least.
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @return a running receiver
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> leasedBatches(DedupStore store, BatchHandler<M> handler) {
    return new IdempotentReceiver<>(
        Engines.leasedBatches(
            settings(),
            required(store, "store"),
            LoggingContext.batch(required(handler, "handler")),
            SystemTime.INSTANCE),
        true);
  }

  /**
   * Builds a receiver in transactional mode: the handler writes through the store's own
   * transaction, one for a whole batch, and its effects stand or fall with the marks.
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @param <T> the transaction's handle
   * @return a running receiver
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public <T> IdempotentReceiver<M> transactional(
      TransactionalDedupStore<T> store, TransactionalHandler<M, T> handler) {
    return new IdempotentReceiver<>(
        Engines.transactional(
            settings(),
            required(store, "store"),
            LoggingContext.transactional(required(handler, "handler")),
            SystemTime.INSTANCE),
        true);
  }

  private static <T> T required(T given, String name) {
    return Objects.requireNonNull(given, name);
  }

  private EngineSettings<M> settings() {
    IdExtractor<M> extractor = ids.orElseThrow(
        () -> new IllegalArgumentException("id is not set but an id extractor is required"));
    Function<M, Fingerprint> comparison = fingerprint.orElseThrow(
        () -> new IllegalArgumentException("fingerprint is not set but is required: with"
            + " noFingerprint() another payload under a known id passes as a duplicate"));
    return new EngineSettings<>(
        consumerName,
        new EngineSettings.Reading<>(
            extractor, missingIds, comparison, missingFingerprints, conflicts, tooOld),
        lease,
        new EngineSettings.Failing(retry, notRetryable, inProcessRetry),
        new EngineSettings.Running<>(workers, drainTimeout, handlerTimeout, onUnknownOutcome),
        new EngineSettings.Answering<>(resultLimit, duplicates),
        new EngineSettings.Reporting<>(
            deadLetters, deadLetterTimeout, List.copyOf(listeners), staleMarks),
        new EngineSettings.Sparing(doneCache, storeOutage));
  }
}
