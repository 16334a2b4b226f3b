package io.hapax;

import io.hapax.internal.Engine;
import io.hapax.internal.EngineSettings;
import io.hapax.internal.SystemTime;
import io.hapax.mark.Fingerprint;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets each message take effect once: takes messages from an adapter, claims their ids in the
 * store, runs the handler for those that were acquired, marks them DONE, and says of each whether
 * it may be acknowledged.
 *
 * <p>Built by {@link #builder}. Thread-safe. Does not close the store.
 *
 * <p>The page is long because it is the one page of settings: more than half of it is their
 * contract.
 *
 * @param <M> the broker's message
 */
public final class IdempotentReceiver<M> implements AutoCloseable {

  private final Engine<M> engine;

  private IdempotentReceiver(Engine<M> engine) {
    this.engine = engine;
  }

  /**
   * Starts a builder.
   *
   * @param consumerName the consumer's name: the same for all instances that share the work,
   *     different for every other use of the store, because two consumers of one name answer for
   *     each other's messages
   * @param <M> the broker's message
   * @return a builder
   */
  public static <M> Builder<M> builder(String consumerName) {
    return new Builder<>(consumerName);
  }

  /**
   * Hands messages in and returns at once. The outcomes follow, each as it stands. A lane must not
   * be part of two submissions at once: wait until each of its messages has its outcome before
   * handing in more of it.
   *
   * <p>While the store is unavailable the messages wait, and the claim is sent again with growing
   * pauses, until it answers or the submission is abandoned.
   *
   * @param messages the messages, in the order of their lanes
   * @param sink receives the outcomes
   * @return a handle to give up or to wait
   * @throws IllegalStateException if the receiver is closed
   */
  public Submission submit(List<Incoming<M>> messages, OutcomeSink sink) {
    return engine.submit(messages, sink);
  }

  /**
   * Hands messages in and waits for the outcomes, for a caller that owns its own loop.
   *
   * @param messages the messages, in the order of their lanes
   * @param patience after this time what has not started is given up and deferred; a running
   *     handler is waited for
   * @return the i-th outcome of the i-th message
   * @throws InterruptedException if the thread was interrupted; what has not started was given up
   * @throws IllegalStateException if the receiver is closed
   */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return engine.receive(messages, patience);
  }

  /**
   * Why nothing moves.
   *
   * @return empty while all is well; otherwise the reason, for people and for health checks
   */
  public Optional<String> trouble() {
    return engine.trouble();
  }

  /**
   * Whether the handler writes through the store's own transaction.
   *
   * @return true in transactional mode
   */
  public boolean transactional() {
    return engine.transactional();
  }

  /**
   * How long claims live; for adapters, which check it against the broker's time-outs.
   *
   * @return the settings
   */
  public LeaseSettings lease() {
    return engine.settings().lease();
  }

  /**
   * How long the store remembers what was done; for adapters, which check it against how far back
   * the broker can replay.
   *
   * @return the dedup window
   */
  public Duration retention() {
    return engine.retention();
  }

  /**
   * Gives up what has not started, waits for running handlers up to the drain time-out, settles
   * what they did, and ends all threads. A handler that outlives the time-out is interrupted; its
   * claim runs out by itself.
   */
  @Override
  public void close() {
    engine.close();
  }

  /**
   * Builds a receiver.
   *
   * @param <M> the broker's message
   */
  public static final class Builder<M> {

    private final String consumerName;
    private Optional<IdExtractor<M>> ids = Optional.empty();
    private Optional<Function<M, Fingerprint>> fingerprint = Optional.empty();
    private LeaseSettings lease = LeaseSettings.DEFAULT;
    private RetrySettings retry = RetrySettings.DEFAULT;
    private int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
    private Duration drainTimeout = Duration.ofSeconds(20);
    private Optional<DeadLetterPublisher<M>> deadLetters = Optional.empty();
    private ReceiverListener listener = ReceiverListener.NONE;
    private StalePolicy stalePolicy = StalePolicy.RERUN;

    private Builder(String consumerName) {
      this.consumerName = consumerName;
    }

    /**
     * How to find a message's id. Required.
     *
     * @param extractor the extractor
     * @return this
     */
    public Builder<M> id(IdExtractor<M> extractor) {
      this.ids = Optional.of(required(extractor, "id"));
      return this;
    }

    /**
     * How to tell payloads apart: another payload under a known id is a producer's mistake and is
     * dead-lettered, not acknowledged as a duplicate. This or {@link #noFingerprint()} is required.
     *
     * @param function the fingerprint of a message, best over the bytes of its value; if it throws,
     *     that message is not compared
     * @return this
     */
    public Builder<M> fingerprint(Function<M, Fingerprint> function) {
      this.fingerprint = Optional.of(required(function, "fingerprint"));
      return this;
    }

    /**
     * Compares no payloads: another payload under a known id passes as a duplicate and is
     * acknowledged without running.
     *
     * @return this
     */
    public Builder<M> noFingerprint() {
      return fingerprint(message -> Fingerprint.NONE);
    }

    /**
     * How long claims live. Default {@link LeaseSettings#DEFAULT}.
     *
     * @param settings the settings
     * @return this
     */
    public Builder<M> lease(LeaseSettings settings) {
      this.lease = settings;
      return this;
    }

    /**
     * How failed messages are tried again. Default {@link RetrySettings#DEFAULT}.
     *
     * @param settings the settings
     * @return this
     */
    public Builder<M> retry(RetrySettings settings) {
      this.retry = settings;
      return this;
    }

    /**
     * How many handlers run at once, each for another lane. Default: the number of processors, at
     * least 2.
     *
     * @param count 1 to 1000
     * @return this
     */
    public Builder<M> workers(int count) {
      this.workers = count;
      return this;
    }

    /**
     * How long {@link IdempotentReceiver#close()} waits for running handlers. Default 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder<M> drainTimeout(Duration timeout) {
      this.drainTimeout = timeout;
      return this;
    }

    /**
     * Where messages go that will not be tried again. Without it such a message stops its lane
     * until an operator acts.
     *
     * @param publisher the publisher
     * @return this
     */
    public Builder<M> deadLetters(DeadLetterPublisher<M> publisher) {
      this.deadLetters = Optional.of(publisher);
      return this;
    }

    /**
     * Who is told what happens. Default nobody.
     *
     * @param observer the listener
     * @return this
     */
    public Builder<M> listener(ReceiverListener observer) {
      this.listener = observer;
      return this;
    }

    /**
     * What to do with a message whose earlier attempt may have taken effect, in leased mode.
     * Default {@link StalePolicy#RERUN}.
     *
     * @param policy the policy
     * @return this
     */
    public Builder<M> stalePolicy(StalePolicy policy) {
      this.stalePolicy = policy;
      return this;
    }

    /**
     * Builds a receiver in leased mode: the handler may do anything, the mark lives in its own
     * place.
     *
     * @param store the store; stays open when the receiver is closed
     * @param handler the handler
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule
     */
    public IdempotentReceiver<M> leased(DedupStore store, MessageHandler<M> handler) {
      return new IdempotentReceiver<>(Engine.leased(
          settings(), required(store, "store"), required(handler, "handler"), SystemTime.INSTANCE));
    }

    /**
     * Builds a receiver in leased mode whose handler takes many messages at once.
     *
     * @param store the store; stays open when the receiver is closed
     * @param handler the handler
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule
     */
    public IdempotentReceiver<M> leasedBatches(DedupStore store, BatchHandler<M> handler) {
      return new IdempotentReceiver<>(Engine.leasedBatches(
          settings(), required(store, "store"), required(handler, "handler"), SystemTime.INSTANCE));
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
      return new IdempotentReceiver<>(Engine.transactional(
          settings(), required(store, "store"), required(handler, "handler"), SystemTime.INSTANCE));
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
          new EngineSettings.Reading<>(extractor, comparison),
          lease,
          retry,
          new EngineSettings.Running(workers, drainTimeout, stalePolicy),
          new EngineSettings.Reporting<>(deadLetters, listener));
    }
  }
}
