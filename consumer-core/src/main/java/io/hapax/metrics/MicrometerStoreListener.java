package io.hapax.metrics;

import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;

/**
 * Times the calls to a store: {@code store.listen(new MicrometerStoreListener(registry,
 * "orders-redis"))}. Several consumers may share a store, so these meters have the tag
 * {@code store}. {@link MicrometerReceiverListener} counts lost and forgotten marks, because these
 * concern each consumer.
 */
public final class MicrometerStoreListener implements StoreListener {

  private final Map<StoreCall.Verb, Map<CallResult, Timer>> calls;
  private final Map<StoreCall.Verb, DistributionSummary> marks;
  private final Map<StoreCall.ErrorKind, Counter> errors;
  private final Counter unavailable;

  /**
   * Registers the meters.
   *
   * @param registry the registry
   * @param store a name for the store, unique in this process
   */
  public MicrometerStoreListener(MeterRegistry registry, String store) {
    Meters meters = new Meters(registry, "store", store);
    this.calls = Meters.each(
        StoreCall.Verb.class,
        verb -> meters.timers(
            "hapax.store.calls", "Calls to the store", "result", CallResult.class, verbTag(verb)));
    this.marks = Meters.each(
        StoreCall.Verb.class,
        verb -> meters.summary(
            "hapax.store.marks", "marks", "Marks of a call to the store", verbTag(verb)));
    this.errors = meters.counters(
        "hapax.store.call.errors",
        "calls",
        "Calls to the store that ended in an exception",
        "error",
        StoreCall.ErrorKind.class);
    this.unavailable = meters.counter(
        "hapax.store.unavailable", "marks", "Marks whose part of the store did not answer");
  }

  private static Tags verbTag(StoreCall.Verb verb) {
    return Tags.of("verb", Meters.lowerCase(verb));
  }

  @Override
  public void onCall(StoreCall call) {
    CallResult result = CallResult.failed(call.error().isPresent());
    Meters.of(Meters.of(calls, call.verb()), result).record(call.took());
    call.error().ifPresent(kind -> Meters.of(errors, kind).increment());
    Meters.of(marks, call.verb()).record(call.marks());
    unavailable.increment(call.unavailable());
  }
}
