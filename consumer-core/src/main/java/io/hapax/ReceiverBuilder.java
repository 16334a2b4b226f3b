package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.Engine;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.shadow.ShadowEngines;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Builds an {@link IdempotentReceiver}. It is long because most of it is the contract of settings.
 *
 * <p>While a handler runs for one message, SLF4J's MDC has {@code hapax.messageId} and
 * {@code hapax.attempt}; see {@code docs/observability.md}.
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
  private boolean shadow;
  private int claimWindow = EngineSettings.Running.CLAIM_WINDOW;
  private int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
  private Optional<ThreadFactory> workerThreads = Optional.empty();
  private Duration drainTimeout = Duration.ofSeconds(20);
  private Optional<DeadLetterPublisher<M>> deadLetters = Optional.empty();
  private Duration deadLetterTimeout = EngineSettings.Reporting.DEAD_LETTER_TIMEOUT;
  private final List<ReceiverListener> listeners = new ArrayList<>();
  private Optional<StaleMarkSettings> staleMarks = Optional.empty();
  private Optional<Duration> handlerTimeout = Optional.empty();
  private int resultLimit = 4 * 1024;
  private Optional<DuplicateHandler<M>> duplicates = Optional.empty();
  private UnknownOutcomePolicy<M> onUnknownOutcome = UnknownOutcomePolicy.rerun();

  ReceiverBuilder(String consumerName) {
    this.consumerName = consumerName;
  }

  /**
   * Sets how to find a message's id. Required.
   *
   * @param extractor the extractor
   * @return this
   */
  public ReceiverBuilder<M> id(IdExtractor<M> extractor) {
    this.ids = Optional.of(required(extractor, "id"));
    return this;
  }

  /**
   * Sets what to do with a message without a usable id. Default
   * {@link MissingIdPolicy#DEAD_LETTER}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> missingId(MissingIdPolicy policy) {
    this.missingIds = required(policy, "missingId");
    return this;
  }

  /**
   * Sets how to compare payloads. A message with a known id and another payload is a producer's
   * mistake, not a duplicate; {@link #onConflict} decides about it. Required, unless
   * {@link #noFingerprint()} is called.
   *
   * <p>The function must return the same fingerprint for the same message as long as its mark
   * exists, also in later versions of the service. With another function every redelivery of a
   * known message is a conflict. A {@link io.hapax.mark.Resolution} resolves an id that another
   * payload took.
   *
   * @param function the fingerprint of a message, best over the bytes of its value; if it throws,
   *     {@link #missingFingerprint} applies
   * @return this
   */
  public ReceiverBuilder<M> fingerprint(Function<M, Fingerprint> function) {
    this.fingerprint = Optional.of(required(function, "fingerprint"));
    return this;
  }

  /**
   * Sets what to do with a message whose fingerprint function threw. Default
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
   * Compares no payloads: a message with a known id and another payload counts as a duplicate and
   * is acknowledged without running.
   *
   * @return this
   */
  public ReceiverBuilder<M> noFingerprint() {
    return fingerprint(message -> Fingerprint.NONE);
  }

  /**
   * Sets what to do with a message whose id is known with another payload. Default: dead-letter it
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
   * Sets what to do with a message that is older than the store's retention and has no mark, like a
   * replay from before the dedup window. Needs the message's timestamp, which the adapters for
   * Kafka and RocketMQ supply. Default {@link TooOldPolicy#PROCESS}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> tooOld(TooOldPolicy policy) {
    this.tooOld = required(policy, "tooOld");
    return this;
  }

  /**
   * Sets the leases of claims. Default {@link LeaseSettings#DEFAULT}.
   *
   * @param settings the settings
   * @return this
   */
  public ReceiverBuilder<M> lease(LeaseSettings settings) {
    this.lease = settings;
    return this;
  }

  /**
   * Sets how failed and deferred messages are tried again. Default {@link RetrySettings#DEFAULT}.
   * {@link io.hapax.resilience4j.Resilience4jRetry#from} converts resilience4j's settings.
   *
   * @param settings the settings
   * @return this
   */
  public ReceiverBuilder<M> retry(RetrySettings settings) {
    this.retry = settings;
    return this;
  }

  /**
   * Selects errors of the handler after which no further attempt can succeed. A message that fails
   * with one is dead-lettered at once, as {@link DeadLetter.Kind#NOT_RETRYABLE}.
   *
   * <p>Two kinds of errors are never retryable. One is {@link RejectedMessageException}. The other
   * is an error of converting the message, if all its causes come from the data and the call was
   * not interrupted. Java serialization, Kafka, Spring, Jackson, Gson, fastjson and Protocol
   * Buffers throw such errors. A handler that parses the <em>answer of a downstream</em> must wrap
   * such an error in an {@code IOException} or an exception of its own, which is retried.
   *
   * <p>In leased mode an error that is not a {@link NotAppliedException} leaves the message in
   * doubt, and its dead-letter record says so ({@link DeadLetter#inDoubt()}); under
   * {@link UnknownOutcomePolicy#deadLetter()} its kind is {@link DeadLetter.Kind#IN_DOUBT}. No
   * probe is called. If a call had several messages, they are handled one by one, and the one that
   * fails alone is dead-lettered. While its record cannot be published, it is tried again like any
   * other that failed.
   *
   * @param errors true for such an error; called on the handler's thread with its exception, not
   *     with the causes. If it throws, the error is retried
   * @return this
   */
  public ReceiverBuilder<M> notRetryable(Predicate<Throwable> errors) {
    this.notRetryable = required(errors, "notRetryable");
    return this;
  }

  /**
   * Sets how many handlers run at a time, in different lanes. Default: the processors, at least 2.
   *
   * @param count 1 to 1000
   * @return this
   */
  public ReceiverBuilder<M> workers(int count) {
    this.workers = count;
    return this;
  }

  /**
   * Sets what creates the threads that run handlers, at most {@link #workers} at a time: virtual
   * threads, or threads with the application's own name and context. The first one is created when
   * the receiver is built. The receiver sets their handler of uncaught exceptions, and ends them
   * when it is closed. Default: daemon threads named {@code hapax-worker-} and the consumer's name.
   *
   * <p>If the factory fails later, {@link IdempotentReceiver#problems()} shows it. The existing
   * workers run all messages. Without any, messages wait until the factory works again.
   *
   * @param factory returns a new thread for each call, which is not started; called on any thread
   * @return this
   */
  public ReceiverBuilder<M> workerThreads(ThreadFactory factory) {
    this.workerThreads = Optional.of(required(factory, "workerThreads"));
    return this;
  }

  /**
   * Lets the receiver only observe: every message runs at once, whatever the store answers, and the
   * result of its handler decides alone about its acknowledgement, as without Hapax. At the same
   * time messages are claimed and marked as usual. {@link IdempotentReceiver#shadowReport} counts
   * what Hapax would have done. So a team sees this for a live consumer, and the marks are there
   * when this setting is removed. In leased mode only.
   *
   * <p>Shadow mode protects nothing: a duplicate takes effect again. A handler that throws is
   * called again when the broker redelivers the message, after {@link #retry}'s first backoff. No
   * message is dead-lettered. All failed runs of a message together use at most one attempt. A run
   * that may have had an effect leaves the message in doubt. Listeners and meters see the runs.
   * {@link Delivery#idempotencyKey} is that of generation 0. Policies and {@link #onDuplicate} have
   * no effect.
   *
   * <p>A process that dies leaves open marks behind, as in the real mode: another consumer takes
   * them over when their leases have expired. The store is called on the receiver's own threads.
   * {@link IdempotentReceiver#close()} may take two seconds longer while the store does not answer.
   *
   * @return this
   */
  public ReceiverBuilder<M> shadow() {
    this.shadow = true;
    return this;
  }

  /**
   * Limits how many messages of {@link io.hapax.adapter.ReceiverPort#openLanes() open lanes} are
   * claimed ahead of their turn. A process that dies leaves these claims behind. A submission whose
   * turn has come is claimed even so. The limit applies in leased mode with
   * {@link UnknownOutcomePolicy#rerun()}; with the other policies it is the number of
   * {@link #workers}. Default 1000.
   *
   * @param messages at least 1; best at least two submissions of the adapter: one is claimed while
   *     another one runs
   * @return this
   */
  public ReceiverBuilder<M> claimWindow(int messages) {
    this.claimWindow = messages;
    return this;
  }

  /**
   * Sets how long {@link IdempotentReceiver#close()} waits for running handlers. Default 20 s.
   *
   * @param timeout not negative
   * @return this
   */
  public ReceiverBuilder<M> drainTimeout(Duration timeout) {
    this.drainTimeout = timeout;
    return this;
  }

  /**
   * Limits the time of one call of the handler. After it the call is interrupted, and its leases
   * are not renewed any more. If the handler ends then, it has failed. A handler that ignores the
   * interrupt is shown by {@link IdempotentReceiver#problems()} and keeps its thread and its lane;
   * until it ends, no other handler starts for its messages in this process. Default: no limit.
   *
   * @param limit positive; longer than the slowest call that is acceptable
   * @return this
   */
  public ReceiverBuilder<M> handlerTimeout(Duration limit) {
    this.handlerTimeout = Optional.of(limit);
    return this;
  }

  /**
   * Sets the longest result of a DONE mark. A mark may take that much room in the store until its
   * retention ends. Default 4096.
   *
   * @param bytes 0 to 65536
   * @return this
   */
  public ReceiverBuilder<M> resultLimit(int bytes) {
    this.resultLimit = bytes;
    return this;
  }

  /**
   * Sets the handler of duplicates, which receives each duplicate, with the result of the first
   * message, before it may be acknowledged. Default: none.
   *
   * @param handler the handler
   * @return this
   */
  public ReceiverBuilder<M> onDuplicate(DuplicateHandler<M> handler) {
    this.duplicates = Optional.of(required(handler, "onDuplicate"));
    return this;
  }

  /**
   * Sets the publisher of dead-letter records. Without it a message that is not tried again stops
   * its lane until an operator acts; a concurrent RocketMQ listener gets it again and again.
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
   * {@link IdempotentReceiver#health()} shows it with the reason, and the publisher is called again
   * after the backoff of {@link #retry}. A publisher that ignores the interrupt is shown until it
   * returns; it keeps its thread and its lane. If the broker stores the record of an interrupted
   * call, the message has two dead-letter records with the same id. Default 1 minute.
   *
   * @param timeout positive; longer than the publisher's own timeout
   * @return this
   */
  public ReceiverBuilder<M> deadLetterTimeout(Duration timeout) {
    this.deadLetterTimeout = required(timeout, "deadLetterTimeout");
    return this;
  }

  /**
   * Adds a listener. All are called in the order in which they were added; an exception of one does
   * not affect the others. Default: none.
   *
   * @param observer the listener
   * @return this
   */
  public ReceiverBuilder<M> listener(ReceiverListener observer) {
    listeners.add(required(observer, "listener"));
    return this;
  }

  /**
   * Counts stale marks and marks in doubt periodically, for {@link ReceiverListener#onStaleMarks},
   * {@link IdempotentReceiver#health()} and the log. Each instance counts for itself, through
   * {@link io.hapax.store.MarkAdmin#list}. Redis reads open marks only. A database reads the index
   * of all its marks, some seconds for each million: set a long interval there, or let one instance
   * count. Default: marks are not counted.
   *
   * @param settings the interval and the limit
   * @return this
   */
  public ReceiverBuilder<M> countStaleMarks(StaleMarkSettings settings) {
    this.staleMarks = Optional.of(required(settings, "countStaleMarks"));
    return this;
  }

  /**
   * Sets what to do with a message whose earlier attempt may have taken effect, in leased mode.
   * Default {@link UnknownOutcomePolicy#rerun()}.
   *
   * @param policy the policy
   * @return this
   */
  public ReceiverBuilder<M> onUnknownOutcome(UnknownOutcomePolicy<M> policy) {
    this.onUnknownOutcome = required(policy, "onUnknownOutcome");
    return this;
  }

  /**
   * {@return a running receiver in leased mode: the handler may do anything, and the store writes
   * the marks separately from the handler's effects}
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> leased(DedupStore store, MessageHandler<M> handler) {
    return receiver(
        required(store, "store"), HandlerStep.Handler.single(required(handler, "handler")));
  }

  /**
   * {@return a running receiver in leased mode whose handler returns results, also for duplicates}
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> answering(DedupStore store, AnsweringHandler<M> handler) {
    return receiver(
        required(store, "store"), HandlerStep.Handler.answering(required(handler, "handler")));
  }

  /**
   * {@return a running receiver in leased mode whose handler takes several messages per call} A
   * call that fails uses an attempt of each of its messages, and their next attempts are calls for
   * one message each. So {@link #retry} must allow at least two attempts.
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> leasedBatches(DedupStore store, BatchHandler<M> handler) {
    return batches(store, handler, false);
  }

  private IdempotentReceiver<M> receiver(DedupStore store, HandlerStep.Handler<M> handler) {
    HandlerStep.Handler<M> logging = LoggingContext.leased(handler);
    return new IdempotentReceiver<>(
        shadow
            ? ShadowEngines.leased(settings(), store, logging, Platform.ofThisMachine())
            : Engine.leased(settings(), store, logging, Platform.ofThisMachine()));
  }

  /**
   * {@return a running receiver in transactional mode: the handler writes through the store's
   * transaction, one for a whole batch, which commits its effects together with the marks}
   *
   * @param store the store; stays open when the receiver is closed
   * @param handler the handler
   * @param <T> the transaction's handle
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public <T> IdempotentReceiver<M> transactional(
      TransactionalDedupStore<T> store, TransactionalHandler<M, T> handler) {
    if (shadow) {
      throw new IllegalArgumentException("shadow is set but must not be in transactional mode: the"
          + " effects and the marks of a transaction are committed together or not at all");
    }
    return new IdempotentReceiver<>(Engine.transactional(
        settings(),
        required(store, "store"),
        LoggingContext.transactional(required(handler, "handler")),
        Platform.ofThisMachine()));
  }

  /**
   * {@return a running receiver for an adapter whose handler commits its effects in a transaction
   * of the broker} That transaction also holds the acknowledgement of the messages, and their marks
   * are DONE after it. The handler takes several messages per call, as in {@link #leasedBatches}.
   * If a process dies between the two, the adapter's store finds that in the broker before it lets
   * a claim be taken over.
   *
   * <p>Use the adapter's own builder, for example {@code KafkaTransactionalReceiver}.
   *
   * @param store the adapter's view of the store; stays open when the receiver is closed
   * @param handler the handler; throws {@link io.hapax.errors.NotAppliedException} only, because an
   *     aborted transaction has no effect
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentReceiver<M> brokerTransactional(DedupStore store, BatchHandler<M> handler) {
    if (shadow) {
      throw new IllegalArgumentException("shadow is set but must not be with a transaction of the"
          + " broker: it acknowledges only messages that were claimed");
    }
    settings().checkBrokerTransactions();
    return batches(store, handler, true);
  }

  private IdempotentReceiver<M> batches(
      DedupStore store, BatchHandler<M> handler, boolean commits) {
    return receiver(
        required(store, "store"), HandlerStep.Handler.batch(required(handler, "handler"), commits));
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
        new EngineSettings.Failing(retry, notRetryable),
        new EngineSettings.Running<>(
            workers, workerThreads, drainTimeout, handlerTimeout, onUnknownOutcome, claimWindow),
        new EngineSettings.Answering<>(resultLimit, duplicates),
        new EngineSettings.Reporting<>(
            deadLetters, deadLetterTimeout, List.copyOf(listeners), staleMarks));
  }
}
