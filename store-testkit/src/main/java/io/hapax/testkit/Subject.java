package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store that runs a story, the real one or the model, with the claims that it granted. */
final class Subject {

  private final DedupStore store;
  private final Map<String, Claim> claims = new HashMap<>();

  Subject(DedupStore store) {
    this.store = store;
  }

  DedupStore store() {
    return store;
  }

  List<ClaimAnswer> claim(List<ClaimRequest> requests) {
    List<ClaimAnswer> answers = store.claim(requests, Bench.LEASE);
    Bench.acquired(answers).forEach(this::remember);
    return answers;
  }

  void remember(Claim claim) {
    claims.put(claim.key().id().toString(), claim);
  }

  void settle(Claim claim, Verdict verdict) {
    store.settle(List.of(new Settlement(claim, verdict)));
  }

  /** Returns the latest claim of that message. */
  Claim claimOf(ClaimRequest request) {
    return Optional.ofNullable(claims.get(request.key().id().toString())).orElseThrow();
  }
}
