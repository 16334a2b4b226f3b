package io.hapax.metrics;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.TransactionalHandler;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.CheckedCallable;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import java.util.Optional;

/**
 * Puts an observation around each call of a handler, for traces, baggage and further handlers:
 *
 * <pre>{@code
 * var observed = ObservedHandlers.<ConsumerRecord<String, String>>of(registry, "billing")
 *     .headers((record, name) -> Optional.ofNullable(record.headers().lastHeader(name))
 *         .map(header -> new String(header.value(), UTF_8)));
 * builder.leased(store, observed.message(delivery -> charge(delivery)));
 * }</pre>
 *
 * <p>The observation is named {@code hapax.handle} and has the low-cardinality keys
 * {@code consumer} and {@code recovery}. For a single message it has the high-cardinality keys
 * {@code hapax.message.id} and {@code hapax.attempt}. For several messages, which belong to several
 * traces, it has their number as {@code hapax.messages}. It is current on the handler's thread,
 * records what the handler threw, and ends with the call. It does not include the settlement or, in
 * transactional mode, the commit.
 *
 * @param <M> the broker's message
 */
public final class ObservedHandlers<M> {

  private static final String NAME = "hapax.handle";

  private final ObservationRegistry registry;
  private final String consumer;
  private final HeaderReader<M> headers;

  private ObservedHandlers(ObservationRegistry registry, String consumer, HeaderReader<M> headers) {
    this.registry = registry;
    this.consumer = consumer;
    this.headers = headers;
  }

  /**
   * {@return a decorator of handlers that observes each call in a trace of its own}
   *
   * @param registry the registry
   * @param consumer the consumer's name, as in the receiver's builder
   * @param <M> the broker's message
   */
  public static <M> ObservedHandlers<M> of(ObservationRegistry registry, String consumer) {
    return new ObservedHandlers<>(registry, consumer, (message, name) -> Optional.empty());
  }

  /**
   * {@return a decorator of handlers that continues the producers' traces, with their baggage}
   *
   * @param reader reads a message's headers
   */
  public ObservedHandlers<M> headers(HeaderReader<M> reader) {
    return new ObservedHandlers<>(registry, consumer, reader);
  }

  /**
   * {@return an observed handler of one message}
   *
   * @param handler the handler
   */
  public MessageHandler<M> message(MessageHandler<M> handler) {
    return delivery -> observe(of(delivery), () -> {
      handler.handle(delivery);
      return true;
    });
  }

  /**
   * {@return an observed handler of one message that returns results}
   *
   * @param handler the handler
   */
  public AnsweringHandler<M> answering(AnsweringHandler<M> handler) {
    return delivery -> observe(of(delivery), () -> handler.handle(delivery));
  }

  /**
   * {@return an observed handler of many messages, each call as a whole}
   *
   * @param handler the handler
   */
  public BatchHandler<M> batch(BatchHandler<M> handler) {
    return deliveries -> observe(of(deliveries), () -> {
      handler.handle(deliveries);
      return true;
    });
  }

  /**
   * {@return an observed handler inside a transaction, each call as a whole}
   *
   * @param handler the handler
   * @param <T> the transaction's handle
   */
  public <T> TransactionalHandler<M, T> transactional(TransactionalHandler<M, T> handler) {
    return (transaction, deliveries) -> observe(of(deliveries), () -> {
      handler.handle(transaction, deliveries);
      return true;
    });
  }

  /**
   * {@return an observed handler of one message inside a transaction, for
   * {@link TransactionalHandler#forEach}: each message by itself}
   *
   * @param handler the handler
   * @param <T> the transaction's handle
   */
  public <T> TransactionalHandler.Single<M, T> single(TransactionalHandler.Single<M, T> handler) {
    return (transaction, delivery) -> observe(of(delivery), () -> {
      handler.handle(transaction, delivery);
      return true;
    });
  }

  private static <R> R observe(Observation observation, CheckedCallable<R, Exception> call)
      throws Exception {
    return observation.observeChecked(call);
  }

  private Observation of(List<Delivery<M>> deliveries) {
    return deliveries.size() == 1 ? of(deliveries.get(0)) : ofMany(deliveries);
  }

  private Observation of(Delivery<M> delivery) {
    return named(
            Observation.createNotStarted(NAME, () -> received(delivery), registry),
            delivery.recovery())
        .highCardinalityKeyValues(KeyValues.of(
            "hapax.message.id",
            delivery.messageId(),
            "hapax.attempt",
            Integer.toString(delivery.attempt())));
  }

  private Observation ofMany(List<Delivery<M>> deliveries) {
    boolean recovery = deliveries.stream().anyMatch(Delivery::recovery);
    return named(Observation.createNotStarted(NAME, registry), recovery)
        .highCardinalityKeyValue("hapax.messages", Integer.toString(deliveries.size()));
  }

  private Observation named(Observation observation, boolean recovery) {
    return observation
        .contextualName("handle " + consumer)
        .lowCardinalityKeyValues(
            KeyValues.of("consumer", consumer, "recovery", Boolean.toString(recovery)));
  }

  private ReceiverContext<M> received(Delivery<M> delivery) {
    ReceiverContext<M> context =
        new ReceiverContext<>((message, name) -> headers.header(message, name).orElse(null));
    context.setCarrier(delivery.message());
    return context;
  }

  /**
   * Reads a header of a broker's message, so that the producer's trace is continued: for Kafka
   * {@code record.headers().lastHeader(name)}, for RocketMQ a user property.
   *
   * @param <M> the broker's message
   */
  @FunctionalInterface
  public interface HeaderReader<M> {

    /**
     * {@return a header's value as text; empty if there is none}
     *
     * @param message the broker's message
     * @param name the header's name
     */
    Optional<String> header(M message, String name);
  }
}
