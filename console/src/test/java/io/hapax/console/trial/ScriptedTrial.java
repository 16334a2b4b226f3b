package io.hapax.console.trial;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A demo whose state a test sets. It remembers its actions, and refuses to stop a stopped store.
 */
public final class ScriptedTrial implements Trial {

  private static final List<TrialConsumer> CONSUMERS = List.of(
      new TrialConsumer(
          "hapax-1", TrialLane.HAPAX, OptionalLong.of(4711), TrialConsumer.State.STARTING),
      new TrialConsumer(
          "hapax-2", TrialLane.HAPAX, OptionalLong.of(4712), TrialConsumer.State.RUNNING),
      new TrialConsumer(
          "plain-1", TrialLane.LOOP, OptionalLong.empty(), TrialConsumer.State.ENDED));

  private final List<TrialAction> begun = new CopyOnWriteArrayList<>();
  private volatile TrialOrders booked = TrialOrders.of(List.of());
  private volatile TrialOrders charged = TrialOrders.of(List.of());
  private volatile List<TrialStory> stories = List.of();
  private volatile boolean storeRuns = true;

  /** Shows these orders, oldest first. */
  public void show(List<TrialOrder> orders) {
    booked = TrialOrders.of(orders);
  }

  /** Shows these paid orders. */
  public void charge(List<TrialOrder> orders) {
    charged = TrialOrders.of(orders);
  }

  /** Shows these stories, newest first. */
  public void tell(List<TrialStory> newestFirst) {
    stories = newestFirst;
  }

  /** Shows what is left while the store is stopped. */
  public void stopStore() {
    storeRuns = false;
  }

  /** A story of an action whose two lanes are at these steps. */
  public static TrialStory story(
      TrialAction action, int orders, TrialStory.Part hapax, TrialStory.Part loop) {
    return new TrialStory(
        action,
        Instant.parse("2026-11-29T20:14:05Z")
            .minusSeconds(40L * List.of(TrialAction.values()).indexOf(action)),
        List.of(TrialStep.of(TrialStep.Kind.PLACED, orders)),
        List.of(hapax, loop));
  }

  public static TrialStory.Part part(TrialLane lane, TrialLevel level, TrialStep... steps) {
    return new TrialStory.Part(lane, level, List.of(steps));
  }

  public List<TrialAction> begun() {
    return List.copyOf(begun);
  }

  @Override
  public Set<TrialAction> actions() {
    return EnumSet.allOf(TrialAction.class);
  }

  @Override
  public TrialState state() {
    Duration age = storeRuns ? Duration.ZERO : Duration.ofSeconds(12);
    return new TrialState(storeRuns, CONSUMERS, booked, charged, age, stories);
  }

  @Override
  public String begin(TrialAction action) {
    if (action == TrialAction.STOP_STORE && !storeRuns) {
      throw new IllegalStateException("the store is stopped <script>window.hacked=1</script>");
    }
    begun.add(action);
    return "began " + action;
  }
}
