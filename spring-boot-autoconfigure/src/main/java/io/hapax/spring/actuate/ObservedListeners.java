package io.hapax.spring.actuate;

import io.hapax.metrics.ObservedHandlers;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.MessageFields;
import io.micrometer.observation.ObservationRegistry;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts an observation, which continues the producer's trace, around each call of a listener. */
public final class ObservedListeners implements ListenerCode.Decorator {

  private final Supplier<@Nullable ObservationRegistry> registry;

  public ObservedListeners(Supplier<@Nullable ObservationRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public <M> ListenerCode<M> decorate(
      ListenerDefinition settings, MessageFields<M> fields, ListenerCode<M> code) {
    ObservationRegistry observations = registry.get();
    if (observations == null || observations.isNoop()) {
      return code;
    }
    ObservedHandlers<M> observed = ObservedHandlers.<M>of(observations, settings.consumer())
        .headers((message, name) -> fields
            .header(message, name)
            .map(value -> new String(value.toByteArray(), StandardCharsets.UTF_8)));
    return code instanceof ListenerCode.Each<M> each
        ? new ListenerCode.Each<>(observed.message(each.handler()))
        : new ListenerCode.Batches<>(observed.batch(code.batchHandler()));
  }
}
