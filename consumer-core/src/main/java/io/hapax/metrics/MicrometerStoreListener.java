package io.hapax.metrics;

import io.hapax.store.StoreCall;
import io.hapax.store.StoreErrorKind;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreVerb;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;

/**
 * Times the calls to a store: {@code store.listen(new MicrometerStoreListener(registry,
 * "orders-redis"))}. A store that several consumers share knows nothing of their names, so that
 * these meters have the tag {@code store} instead. What a store loses or forgets is counted by
 * {@link MicrometerReceiverListener}, because each consumer has to be told of it.
 */
public final class MicrometerStoreListener implements StoreListener {

  private final Map<StoreVerb, Map<CallResult, Timer>> calls;
  private final Map<StoreVerb, DistributionSummary> marks;
  private final Map<StoreErrorKind, Counter> troubles;
  private final Counter unavailable;

  /**
   * Registers the meters.
   *
   * @param registry where
   * @param store a name for the store, to tell it from others of this process
   */
  public MicrometerStoreListener(MeterRegistry registry, String store) {
    Meters meters = new Meters(registry, "store", store);
    this.calls = Meters.each(
        StoreVerb.class,
        verb -> meters.timers(
            "hapax.store.calls", "Calls to the store", "result", CallResult.class, verbTag(verb)));
    this.marks = Meters.each(
        StoreVerb.class,
        verb -> meters.summary(
            "hapax.store.marks", "marks", "Marks of a call to the store", verbTag(verb)));
    this.troubles = meters.counters(
        "hapax.store.troubles",
        "calls",
        "Calls to the store that ended in an exception",
        "trouble",
        StoreErrorKind.class);
    this.unavailable = meters.counter(
        "hapax.store.unavailable", "marks", "Marks whose part of the store did not answer");
  }

  private static Tags verbTag(StoreVerb verb) {
    return Tags.of("verb", Meters.lowerCase(verb));
  }

  @Override
  public void onCall(StoreCall call) {
    CallResult result = CallResult.failed(call.trouble().isPresent());
    Meters.of(Meters.of(calls, call.verb()), result).record(call.took());
    call.trouble().ifPresent(trouble -> Meters.of(troubles, trouble).increment());
    Meters.of(marks, call.verb()).record(call.marks());
    unavailable.increment(call.unavailable());
  }
}
