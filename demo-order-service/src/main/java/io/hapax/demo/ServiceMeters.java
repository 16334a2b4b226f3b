package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.StaleMarkSettings;
import io.hapax.metrics.MicrometerPartitions;
import io.hapax.metrics.MicrometerReceiverHealth;
import io.hapax.metrics.MicrometerReceiverListener;
import io.hapax.metrics.MicrometerStoreListener;
import io.hapax.store.ListenableStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** Binds all meters of the service to a registry for Prometheus. */
final class ServiceMeters implements AutoCloseable {

  private static final String STORE = "marks";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final String consumer;

  ServiceMeters(String consumer) {
    this.consumer = consumer;
  }

  /** Counts the outcomes of a receiver that is not built yet, and its stale marks. */
  <M> ReceiverBuilder<M> of(ReceiverBuilder<M> receiver) {
    return receiver
        .listener(new MicrometerReceiverListener(registry, consumer))
        .countStaleMarks(StaleMarkSettings.DEFAULT);
  }

  <S extends ListenableStore> S of(S store) {
    store.listen(new MicrometerStoreListener(registry, STORE)); // until the store is closed
    return store;
  }

  /** Shows the health of a receiver and the progress of its partitions. */
  void bind(IdempotentReceiver<?> receiver, OrderChannel.Subscription reading) {
    MicrometerReceiverHealth.bind(registry, consumer, reading::problems, receiver);
    if (reading.partitions().isPresent()) {
      MicrometerPartitions.bind(registry, consumer, () -> reading.partitions().orElse(List.of()));
    }
  }

  String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
