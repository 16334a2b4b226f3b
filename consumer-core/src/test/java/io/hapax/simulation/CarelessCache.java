package io.hapax.simulation;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A cache between a process and the store that remembers what it should not. */
final class CarelessCache extends StoreClient {

  private final Set<MessageKey> remembered = new HashSet<>();

  CarelessCache(ConsumerProcess process, SimulatedStore store, Network network) {
    super(process, store, network);
  }

  static boolean wanted(World world) {
    return world.makes(Mistake.CACHE_KEEPS_DEAD) || world.makes(Mistake.CACHE_FILLS_BEFORE_SETTLE);
  }

  private boolean wrong(Mistake mistake) {
    return process.world().makes(mistake);
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    List<ClaimRequest> unknown = requests.stream().filter(it -> !knows(it)).toList();
    List<ClaimAnswer> asked = unknown.isEmpty() ? List.of() : super.claim(unknown, lease);
    List<ClaimAnswer> answers = new ArrayList<>();
    int next = 0;
    for (ClaimRequest request : requests) {
      ClaimAnswer answer = knows(request)
          ? new ClaimAnswer.Done(Bytes.EMPTY, process.world().time().instant(), false)
          : asked.get(next++);
      answers.add(answer);
    }
    for (int i = 0; i < answers.size(); i++) {
      if (wrong(Mistake.CACHE_KEEPS_DEAD) && answers.get(i) instanceof ClaimAnswer.Dead) {
        remembered.add(requests.get(i).key());
      }
    }
    return answers;
  }

  /** Not the question for the time. */
  private boolean knows(ClaimRequest request) {
    ClaimTerms terms = request.terms();
    return remembered.contains(request.key())
        && terms.notAfter().isAfter(process.world().time().instant().minus(Duration.ofDays(1)));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    for (Settlement it : settlements) {
      if (wrong(Mistake.CACHE_FILLS_BEFORE_SETTLE) && it.verdict() instanceof Verdict.Done) {
        remembered.add(it.claim().key());
      }
    }
    List<SettleAnswer> answers = super.settle(settlements);
    for (int i = 0; i < answers.size(); i++) {
      if (wrong(Mistake.CACHE_KEEPS_DEAD)
          && answers.get(i) instanceof SettleAnswer.Settled
          && settlements.get(i).verdict() instanceof Verdict.Dead) {
        remembered.add(settlements.get(i).claim().key());
      }
    }
    return answers;
  }
}
