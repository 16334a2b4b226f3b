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
  private volatile TrialState state = new TrialState(
      true,
      CONSUMERS,
      TrialOrders.of(List.of()),
      TrialOrders.of(List.of()),
      Duration.ZERO,
      List.of());

  /** Shows these orders, oldest first. */
  public void show(List<TrialOrder> orders) {
    state = new TrialState(
        true, CONSUMERS, TrialOrders.of(orders), state.charged(), Duration.ZERO, state.stories());
  }

  /** Shows these paid orders. */
  public void charge(List<TrialOrder> orders) {
    state = new TrialState(
        true, CONSUMERS, state.booked(), TrialOrders.of(orders), Duration.ZERO, state.stories());
  }

  /** Shows these stories, newest first. */
  public void tell(List<TrialStory> stories) {
    state =
        new TrialState(true, CONSUMERS, state.booked(), state.charged(), Duration.ZERO, stories);
  }

  /** Shows what is left while the store is stopped. */
  public void stopStore() {
    state = new TrialState(
        false, CONSUMERS, state.booked(), state.charged(), Duration.ofSeconds(12), state.stories());
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
    return state;
  }

  @Override
  public String begin(TrialAction action) {
    if (action == TrialAction.STOP_STORE && !state.storeRuns()) {
      throw new IllegalStateException("the store is stopped <script>window.hacked=1</script>");
    }
    begun.add(action);
    return "began " + action;
  }
}
