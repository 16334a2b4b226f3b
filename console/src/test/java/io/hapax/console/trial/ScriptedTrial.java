package io.hapax.console.trial;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A demo whose state a test sets. It remembers its actions, and refuses to stop a stopped store.
 */
public final class ScriptedTrial implements Trial {

  private final List<TrialAction> begun = new CopyOnWriteArrayList<>();
  private volatile TrialState state =
      new TrialState(true, consumers(), Optional.of(effects(List.of())), Optional.empty());

  private static List<TrialConsumer> consumers() {
    return List.of(
        new TrialConsumer("hapax-1", true, OptionalLong.of(4711), TrialConsumer.State.RUNNING),
        new TrialConsumer("hapax-2", true, OptionalLong.of(4712), TrialConsumer.State.FROZEN),
        new TrialConsumer("hapax-3", true, OptionalLong.of(4713), TrialConsumer.State.STARTING),
        new TrialConsumer("naive", false, OptionalLong.empty(), TrialConsumer.State.ENDED));
  }

  private static TrialState.Effects effects(List<TrialOrder> orders) {
    TrialTotals hapax = totals(
        orders.stream().map(TrialOrder::hapax).toList(),
        orders.stream().filter(it -> it.explained() && it.hapax() > 1).count());
    return new TrialState.Effects(
        hapax, totals(orders.stream().map(TrialOrder::naive).toList(), 0), orders);
  }

  private static TrialTotals totals(List<Long> effects, long explained) {
    return new TrialTotals(
        effects.size(),
        effects.stream().mapToLong(it -> it).sum(),
        effects.stream().filter(it -> it == 0).count(),
        effects.stream().filter(it -> it > 1).count(),
        explained);
  }

  /** Shows these orders. */
  public void show(List<TrialOrder> orders) {
    state = new TrialState(true, consumers(), Optional.of(effects(orders)), state.charges());
  }

  /** Shows these charges of orders, from the first order on. */
  public void charge(List<Long> hapax, List<Long> naive) {
    state = new TrialState(
        true,
        consumers(),
        state.effects(),
        Optional.of(new TrialState.Charges(totals(hapax, 0), totals(naive, 0))));
  }

  /** Shows what is left while the store is stopped. */
  public void stopStore() {
    state = new TrialState(false, consumers(), Optional.empty(), state.charges());
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
    if (action == TrialAction.STOP_STORE && !state().storeRuns()) {
      throw new IllegalStateException("the store is stopped <script>window.hacked=1</script>");
    }
    begun.add(action);
    return "began " + action;
  }
}
