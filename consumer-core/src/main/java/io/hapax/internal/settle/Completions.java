package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Settles messages whose handler has returned normally. */
public record Completions<M>(Results<M> results, Settler<M> settler) {

  /**
   * Settles the messages as DONE, in one group. There is a result for each message, or none at all.
   */
  public void settle(List<ClaimedMessage<M>> messages, List<Bytes> returned) {
    List<Settler.Pending<M>> done = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      done.add(done(messages.get(i), returned.isEmpty() ? Bytes.EMPTY : returned.get(i)));
    }
    settler.settle(done);
  }

  private Settler.Pending<M> done(ClaimedMessage<M> it, Bytes returned) {
    Bytes result = results.kept(it.message(), returned);
    Verdict verdict = result.length() == 0 ? Verdict.Done.WITHOUT_RESULT : new Verdict.Done(result);
    return new Settler.Pending<>(it.message(), verdict, outcome(it.acquired(), result));
  }

  /** Returns the outcome of a message that ran under this claim. */
  public static Outcome outcome(Acquired acquired, Bytes result) {
    return new Outcome.Executed(
        acquired.claim().token(), acquired.claim().attempt().number(), result);
  }
}
