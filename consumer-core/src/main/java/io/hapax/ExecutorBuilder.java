package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.policy.ConflictPolicy;
import io.hapax.setting.Durations;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Builds an {@link IdempotentExecutor} or a {@link TransactionalExecutor}. */
public final class ExecutorBuilder {

  private static final int MAX_RESULT = 64 * 1024 - StoredResult.HEADER;

  /** No limit of attempts and no wait: the clients decide when they send a request again. */
  private static final RetrySettings AT_ONCE = RetrySettings.of(
          Integer.MAX_VALUE, List.of(Duration.ofNanos(1)))
      .withMaxDeferral(Duration.ZERO);

  /** No call runs on a worker; but their number limits claims in doubt. */
  private static final int WORKERS = 1000;

  /** How to ask about a call in doubt. */
  private record Doubt(OutcomeProbe<Bytes> probe, ProbeSettings settings) {
    Duration longest() {
      return settings.quiet().plus(settings.timeout());
    }
  }

  private final String name;
  private LeaseSettings lease = LeaseSettings.DEFAULT;
  private Duration patience = Duration.ofSeconds(5);
  private int resultLimit = MAX_RESULT;
  private Optional<Doubt> doubt = Optional.empty();
  private boolean refusesDoubt;
  private Duration drainTimeout = Duration.ofSeconds(20);
  private final List<ReceiverListener> listeners = new ArrayList<>();
  private final List<Runnable> preconditions = new ArrayList<>();

  ExecutorBuilder(String name) {
    this.name = name;
  }

  /**
   * Sets the leases of claims. A call under the id of a process that died waits for the lease.
   * Default {@link LeaseSettings#DEFAULT}.
   *
   * @param settings the settings
   * @return this
   */
  public ExecutorBuilder lease(LeaseSettings settings) {
    this.lease = Objects.requireNonNull(settings, "lease");
    return this;
  }

  /**
   * Sets how long a call may wait for the store before it starts, and in leased mode again for its
   * DONE mark. Then the caller gets a {@link io.hapax.store.StoreException}. A call to the store
   * that hangs prolongs the first wait by the timeouts of the store. A probe's time does not count.
   * Default 5 s.
   *
   * @param limit positive
   * @return this
   */
  public ExecutorBuilder patience(Duration limit) {
    this.patience = limit;
    return this;
  }

  /**
   * Sets the longest result that a mark may hold until the store's retention ends. Default 65535.
   *
   * <p>In leased mode a longer result is not kept: the effect has happened, so the call is
   * {@link ExecutionResult.Executed}, the log has an error, and duplicates get a
   * {@link ExecutionResult.Replayed} without a result. In transactional mode the call is rolled
   * back.
   *
   * @param bytes 0 to 65535
   * @return this
   */
  public ExecutorBuilder resultLimit(int bytes) {
    this.resultLimit = bytes;
    return this;
  }

  /**
   * Asks the downstream before a call whose earlier run may have taken effect, in leased mode. If
   * it did, the answer is {@link ExecutionResult.Replayed} with the result that the probe gives. If
   * it did not, the call runs after the quiet period, for which the caller waits. If that is
   * unknown, the answer is {@link ExecutionResult.InDoubt}, and {@code problems()} shows it until a
   * probe knows more. Default: such a call runs again.
   *
   * @param probe how to ask; the message of the delivery is the id
   * @param settings its timeout, and the quiet period
   * @return this
   */
  public ExecutorBuilder probeUnknownOutcome(OutcomeProbe<Bytes> probe, ProbeSettings settings) {
    Objects.requireNonNull(probe, "probe");
    OutcomeProbe<Bytes> storing = delivery -> StoredResult.of(probe.ask(delivery));
    this.doubt = Optional.of(new Doubt(storing, settings));
    return this;
  }

  /**
   * Never runs a call again whose earlier run may have taken effect, in leased mode: at most once.
   * The answer is {@link ExecutionResult.InDoubt} until an operator reopens the mark or forces it
   * to DONE. Default: such a call runs again.
   *
   * @return this
   */
  public ExecutorBuilder refuseUnknownOutcome() {
    this.refusesDoubt = true;
    return this;
  }

  /**
   * Sets how long {@code close} waits for running calls. Default 20 s.
   *
   * @param timeout not negative
   * @return this
   */
  public ExecutorBuilder drainTimeout(Duration timeout) {
    this.drainTimeout = timeout;
    return this;
  }

  /**
   * Adds a listener, also for metrics. It gets the events of a receiver; an answer that another
   * call in this process gives, {@link ExecutionResult.InProgress}, is none.
   *
   * @param observer the listener
   * @return this
   */
  public ExecutorBuilder listener(ReceiverListener observer) {
    listeners.add(Objects.requireNonNull(observer, "listener"));
    return this;
  }

  /**
   * Adds a check that runs on the calling thread at the start of each {@code execute}, before
   * anything is claimed. If it throws, nothing runs, no mark is written, and the caller gets the
   * exception. Checks run in the order in which they were added. Default: none.
   *
   * @param check throws an unchecked exception to refuse the call; thread-safe
   * @return this
   */
  public ExecutorBuilder precondition(Runnable check) {
    preconditions.add(Objects.requireNonNull(check, "precondition"));
    return this;
  }

  /**
   * {@return an executor whose calls may do anything}
   *
   * @param store the store; stays open when the executor is closed
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public IdempotentExecutor leased(DedupStore store) {
    ReceiverBuilder<PendingExecution<Delivery<Bytes>>> builder = receiver();
    doubt.ifPresent(it -> builder.onUnknownOutcome(UnknownOutcomePolicy.probe(
        delivery -> it.probe().ask(delivery.with(delivery.message().id())), it.settings())));
    IdempotentReceiver<PendingExecution<Delivery<Bytes>>> receiver = builder.answering(
        store, refusesDoubt ? ExecutorBuilder::runUnlessInDoubt : ExecutorBuilder::run);
    Duration probing = doubt.map(Doubt::longest).orElse(Duration.ZERO);
    return new IdempotentExecutor(name, receiver, preconditions, patience, probing);
  }

  /**
   * {@return an executor whose calls write through the store's transaction}
   *
   * @param store the store; stays open when the executor is closed
   * @param <T> the transaction's handle
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public <T> TransactionalExecutor<T> transactional(TransactionalDedupStore<T> store) {
    if (doubt.isPresent() || refusesDoubt) {
      throw new IllegalArgumentException("probeUnknownOutcome or refuseUnknownOutcome is set but"
          + " must not be in transactional mode: a rolled back call has no effect, so that none is"
          + " in doubt");
    }
    ReceiverBuilder<PendingExecution<TransactionalExecutor.Attempt<T>>> builder = receiver();
    IdempotentReceiver<PendingExecution<TransactionalExecutor.Attempt<T>>> receiver =
        builder.transactional(store, (transaction, deliveries) -> {
          for (Delivery<PendingExecution<TransactionalExecutor.Attempt<T>>> it : deliveries) {
            it.message()
                .run(new TransactionalExecutor.Attempt<>(
                    transaction, it.with(it.message().id())));
          }
        });
    return new TransactionalExecutor<>(name, receiver, preconditions, patience, store, resultLimit);
  }

  private static Bytes run(Delivery<PendingExecution<Delivery<Bytes>>> delivery) throws Exception {
    PendingExecution<Delivery<Bytes>> execution = delivery.message();
    return StoredResult.of(execution.run(delivery.with(execution.id())));
  }

  private static Bytes runUnlessInDoubt(Delivery<PendingExecution<Delivery<Bytes>>> delivery)
      throws Exception {
    if (delivery.recovery()) {
      throw delivery.message().refusal();
    }
    return run(delivery);
  }

  private <A> ReceiverBuilder<PendingExecution<A>> receiver() {
    check();
    ReceiverBuilder<PendingExecution<A>> builder = IdempotentReceiver.builder(name);
    builder
        .id(execution -> Optional.of(execution.id()))
        .fingerprint(PendingExecution::fingerprint)
        .onConflict(conflict -> ConflictPolicy.Decision.DROP)
        .lease(lease)
        .retry(AT_ONCE)
        .workers(WORKERS)
        .resultLimit(resultLimit + StoredResult.HEADER)
        .drainTimeout(drainTimeout);
    listeners.forEach(builder::listener);
    return builder;
  }

  private void check() {
    if (doubt.isPresent() && refusesDoubt) {
      throw new IllegalArgumentException(
          "probeUnknownOutcome and refuseUnknownOutcome are set but only one of them may be");
    }
    Durations.positive("patience", patience);
    if (resultLimit < 0 || resultLimit > MAX_RESULT) {
      throw new IllegalArgumentException(
          "resultLimit is " + resultLimit + " bytes but must be 0 to " + MAX_RESULT);
    }
  }
}
