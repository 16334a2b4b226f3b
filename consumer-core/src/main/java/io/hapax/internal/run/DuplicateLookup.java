package io.hapax.internal.run;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.UnacquiredMessages;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finishes messages that are known to be done before a transaction is opened for the others. Every
 * message that the store does not report as done runs as if there were no look-up.
 *
 * <p>A look-up costs a round trip, which a stream of fresh ids should not pay. So the engine looks
 * up only while at least half of a window's messages are duplicates. Two answers that the engine
 * gets anyway decide about the next window, without probing:
 *
 * <ul>
 *   <li>A transaction in which at least half of the messages were done switches look-ups on.
 *   <li>A look-up that found fewer than half of its messages, or that failed, switches them off.
 * </ul>
 *
 * <p>The first window looks up, because a consumer often begins with redelivered messages. Several
 * threads may use the switch at the same time; it affects costs only.
 */
public final class DuplicateLookup<M> {

  private final TransactionCalls<M, ?> transactions;
  private final BatchMessages<M> batch;
  private final UnacquiredMessages<M> unacquired;
  private final GenerationWatch generation;
  private volatile boolean on = true;

  public DuplicateLookup(
      TransactionCalls<M, ?> transactions,
      BatchMessages<M> batch,
      UnacquiredMessages<M> unacquired,
      GenerationWatch generation) {
    this.transactions = transactions;
    this.batch = batch;
    this.unacquired = unacquired;
    this.generation = generation;
  }

  /**
   * Finishes the messages that are known to be done, if a look-up is worth its round trip; returns
   * the others. Looks up only while the generation was read lately: the keys belong to it.
   */
  List<InFlightMessage<M>> finishDone(List<InFlightMessage<M>> messages) {
    if (!on || messages.isEmpty() || !generation.open()) {
      return messages;
    }
    List<ClaimRequest> requests = batch.requests(messages);
    List<Optional<ClaimAnswer.Done>> found = transactions.findDone(requests);
    List<InFlightMessage<M>> others = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      if (found.get(i).isEmpty()) {
        others.add(messages.get(i));
      } else if (messages.get(i).start()) {
        var unused = unacquired.finish(messages.get(i), found.get(i).get());
      }
    }
    on = isWorthwhile(messages.size() - others.size(), messages.size());
    if (others.isEmpty()) {
      transactions.answered();
    }
    return others;
  }

  void committed(BatchPlan<M> plan) {
    long done = plan.places().stream()
        .filter(place -> place.answer() instanceof ClaimAnswer.Done)
        .count();
    if (isWorthwhile(done, plan.places().size())) {
      on = true;
    }
  }

  private static boolean isWorthwhile(long done, int messages) {
    return 2 * done >= messages;
  }
}
