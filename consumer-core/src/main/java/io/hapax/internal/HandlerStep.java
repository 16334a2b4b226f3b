package io.hapax.internal;

import io.hapax.MessageHandler;
import io.hapax.NotAppliedException;
import io.hapax.Outcome;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.Optional;

/** Leased mode: runs the handler, and leaves the DONE mark to the settler. */
final class HandlerStep<M> implements Step<M> {

  private final Engine<M> engine;
  private final MessageHandler<M> handler;

  HandlerStep(Engine<M> engine, MessageHandler<M> handler) {
    this.engine = engine;
    this.handler = handler;
  }

  @Override
  public Optional<Outcome.Deferred> run(Item<M> item, Acquired acquired) {
    try {
      handler.handle(engine.delivery(item, acquired));
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      boolean inDoubt = !(failure instanceof NotAppliedException);
      return engine.failures().failed(item, acquired, failure, inDoubt);
    }
    engine.settler().settle(item, Verdict.Done.WITHOUT_RESULT, Engine.executed(acquired));
    return Optional.empty();
  }
}
