package io.hapax.metrics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import brave.Tracing;
import brave.baggage.BaggageField;
import brave.baggage.BaggagePropagation;
import brave.baggage.BaggagePropagationConfig.SingleBaggageField;
import brave.propagation.B3Propagation;
import brave.propagation.ThreadLocalCurrentTraceContext;
import io.hapax.Delivery;
import io.hapax.TestDeliveries;
import io.hapax.TransactionalHandler;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BravePropagator;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an observation knows of a call, and that the handler runs inside it. */
class ObservedHandlersTest {

  private static final String TRACE = "463ac35c9f6413ad48485a3953bb6124";

  private final ObservationRegistry registry = ObservationRegistry.create();
  private final List<Observation.Context> ended = new ArrayList<>();

  private final ObservedHandlers<Map<String, String>> observed =
      ObservedHandlers.<Map<String, String>>of(registry, "billing")
          .headers((message, name) -> Optional.ofNullable(message.get(name)));

  ObservedHandlersTest() {
    registry.observationConfig().observationHandler(new ObservationHandler<>() {
      @Override
      public void onStop(Observation.Context context) {
        ended.add(context);
      }

      @Override
      public boolean supportsContext(Observation.Context context) {
        return true;
      }
    });
  }

  private static Delivery<Map<String, String>> delivery(
      String id, int attempt, Map<String, String> headers) {
    return TestDeliveries.of(MessageKey.of("billing", id), attempt, headers);
  }

  private static Delivery<Map<String, String>> delivery(String id) {
    return delivery(id, 1, Map.of());
  }

  private static Map<String, String> keys(Iterable<KeyValue> values) {
    Map<String, String> all = new TreeMap<>();
    values.forEach(value -> all.put(value.getKey(), value.getValue()));
    return all;
  }

  @Test
  void a_call_for_one_message_knows_its_id_and_its_attempt() throws Exception {
    observed.message(it -> {}).handle(delivery("order-17", 3, Map.of()));

    assertThat(ended).singleElement().satisfies(call -> {
      assertThat(call.getName()).isEqualTo("hapax.handle");
      assertThat(keys(call.getLowCardinalityKeyValues()))
          .isEqualTo(Map.of("consumer", "billing", "recovery", "false"));
      assertThat(keys(call.getHighCardinalityKeyValues()))
          .isEqualTo(Map.of("hapax.message.id", "order-17", "hapax.attempt", "3"));
    });
  }

  @Test
  void the_handler_runs_inside_the_observation_and_nothing_after_it_does() throws Exception {
    List<String> current = new ArrayList<>();

    Bytes result = observed
        .answering(it -> {
          current.add(
              requireNonNull(registry.getCurrentObservation()).getContext().getName());
          return Bytes.utf8("receipt 7");
        })
        .handle(delivery("a"));

    assertThat(current).containsExactly("hapax.handle");
    assertThat(result).isEqualTo(Bytes.utf8("receipt 7"));
    assertThat(registry.getCurrentObservation()).isNull();
  }

  @Test
  void an_exception_of_the_handler_is_observed_and_thrown_unchanged() {
    NotAppliedException refused = new NotAppliedException("refused");

    assertThatThrownBy(() -> observed
            .message(it -> {
              throw refused;
            })
            .handle(delivery("a")))
        .isSameAs(refused);

    assertThat(ended).singleElement().extracting(Observation.Context::getError).isSameAs(refused);
    assertThat(registry.getCurrentObservation()).isNull();
  }

  @Test
  void a_call_for_many_knows_how_many_and_no_id() throws Exception {
    observed.batch(it -> {}).handle(List.of(delivery("a"), delivery("b")));
    observed.<String>transactional((tx, it) -> {}).handle("tx", List.of(delivery("c")));

    assertThat(ended)
        .extracting(call -> keys(call.getHighCardinalityKeyValues()))
        .containsExactly(
            Map.of("hapax.messages", "2"), Map.of("hapax.message.id", "c", "hapax.attempt", "1"));
  }

  @Test
  void in_a_transaction_for_each_message_each_has_its_own() throws Exception {
    List<String> handled = new ArrayList<>();

    TransactionalHandler.forEach(
            observed.<String>single((tx, it) -> handled.add(tx + " " + it.messageId())))
        .handle("tx", List.of(delivery("a"), delivery("b")));

    assertThat(handled).containsExactly("tx a", "tx b");
    assertThat(ended)
        .extracting(call -> keys(call.getHighCardinalityKeyValues()).get("hapax.message.id"))
        .containsExactly("a", "b");
  }

  @Test
  void a_handler_runs_in_the_trace_of_its_producer_and_sees_the_baggage() throws Exception {
    try (ThreadTracing tracing = new ThreadTracing()) {
      Tracer tracer = tracing.tracer;
      registry
          .observationConfig()
          .observationHandler(
              new PropagatingReceiverTracingObservationHandler<>(tracer, tracing.propagator()));
      List<String> seen = new ArrayList<>();

      observed
          .message(it -> {
            seen.add(requireNonNull(tracer.currentSpan()).context().traceId());
            seen.add(requireNonNull(requireNonNull(tracer.getBaggage("tenant")).get()));
          })
          .handle(delivery("a", 1, Map.of("b3", TRACE + "-a2fb4a1d1a96d312-1", "tenant", "acme")));

      assertThat(seen).containsExactly(TRACE, "acme");
      assertThat(tracer.currentSpan()).isNull();
    }
  }

  /** Brave, as an application sets it up. */
  private static final class ThreadTracing implements AutoCloseable {
    private final Tracing tracing = Tracing.newBuilder()
        .currentTraceContext(ThreadLocalCurrentTraceContext.create())
        .propagationFactory(BaggagePropagation.newFactoryBuilder(B3Propagation.FACTORY)
            .add(SingleBaggageField.remote(BaggageField.create("tenant")))
            .build())
        .build();
    private final Tracer tracer = new BraveTracer(
        tracing.tracer(),
        new BraveCurrentTraceContext(tracing.currentTraceContext()),
        new BraveBaggageManager(List.of("tenant")));

    private BravePropagator propagator() {
      return new BravePropagator(tracing);
    }

    @Override
    public void close() {
      tracing.close();
    }
  }
}
