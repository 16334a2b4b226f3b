package io.hapax.kafka;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The store as the engine sees it when a Kafka transaction is the acknowledgement. Before a claim
 * that was lost is taken over, {@link LostClaims} decides about it. A takeover replaces the
 * coordinates of the lost claim, so that is too late for a decision.
 */
final class OffsetProbedStore implements DedupStore, ListenableStore {

  private static final SettleAnswer UNKNOWN =
      new SettleAnswer.Unavailable("the outcome of its Kafka transaction is unknown");

  private final DedupStore store;
  private final LostClaims lost;

  private enum Ending {
    UNKNOWN,
    COMMITTED
  }

  /** The claims of transactions that were to be committed, until their marks are DONE. */
  private final Map<Nonce, Ending> endings = new ConcurrentHashMap<>();

  OffsetProbedStore(DedupStore store, LostClaims lost) {
    this.store = store;
    this.lost = lost;
  }

  /** Settles none of the claims until it is known whether their transaction was committed. */
  void undecided(Collection<Claim> claims) {
    claims.forEach(claim -> endings.put(claim.nonce(), Ending.UNKNOWN));
  }

  /** Claims of a committed transaction can only become DONE, even if the handler fails later. */
  void decided(Collection<Claim> claims, boolean committed) {
    for (Claim claim : claims) {
      if (committed) {
        endings.put(claim.nonce(), Ending.COMMITTED);
      } else {
        endings.remove(claim.nonce());
      }
    }
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    List<ClaimRequest> solo = requests.stream().filter(it -> it.terms().solo()).toList();
    Map<MessageKey, ClaimAnswer> answers = new HashMap<>(lost.held(solo));
    claimOthers(requests, lease, answers);
    List<ClaimRequest> suspects =
        requests.stream().filter(it -> answers.get(it.key()) instanceof Suspect).toList();
    if (!suspects.isEmpty()) {
      suspects.forEach(it -> answers.remove(it.key()));
      answers.putAll(lost.held(suspects));
      claimOthers(suspects, lease, answers);
    }
    return requests.stream().map(it -> answer(answers, it)).toList();
  }

  private static ClaimAnswer answer(Map<MessageKey, ClaimAnswer> answers, ClaimRequest request) {
    return Optional.ofNullable(answers.get(request.key())).orElseThrow();
  }

  private void claimOthers(
      List<ClaimRequest> requests, Duration lease, Map<MessageKey, ClaimAnswer> answers) {
    List<ClaimRequest> sent =
        requests.stream().filter(it -> !answers.containsKey(it.key())).toList();
    List<ClaimAnswer> given = sent.isEmpty() ? List.of() : store.claim(sent, lease);
    for (int i = 0; i < given.size(); i++) {
      answers.put(sent.get(i).key(), given.get(i));
    }
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    if (endings.isEmpty()) {
      return store.settle(settlements);
    }
    List<SettleAnswer> all = new ArrayList<>(settlements.size());
    List<Integer> positions = new ArrayList<>();
    List<Settlement> sent = new ArrayList<>();
    for (Settlement each : settlements) {
      Ending ending = endings.get(each.claim().nonce());
      if (ending != Ending.UNKNOWN) {
        positions.add(all.size());
        sent.add(ending == Ending.COMMITTED ? done(each) : each);
      }
      all.add(UNKNOWN);
    }
    List<SettleAnswer> answers = sent.isEmpty() ? List.of() : store.settle(sent);
    for (int i = 0; i < answers.size(); i++) {
      all.set(positions.get(i), answers.get(i));
      if (!(answers.get(i) instanceof SettleAnswer.Unavailable)) {
        endings.remove(sent.get(i).claim().nonce(), Ending.COMMITTED);
      }
    }
    return all;
  }

  private static Settlement done(Settlement settlement) {
    return settlement.verdict() instanceof Verdict.Done
        ? settlement
        : new Settlement(settlement.claim(), Verdict.Done.WITHOUT_RESULT);
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return store.renew(claims, lease);
  }

  @Override
  public Instant now(MessageKey key) {
    return store.now(key);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return store.find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return store.list(query);
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return store.resolve(key, expectedToken, expectedState, resolution);
  }

  @Override
  public int purge(int limit) {
    return store.purge(limit);
  }

  @Override
  public Duration retention() {
    return store.retention();
  }

  @Override
  public Registration listen(StoreListener listener) {
    return store instanceof ListenableStore listenable ? listenable.listen(listener) : () -> {};
  }

  /** Does nothing: the store belongs to the application. */
  @Override
  public void close() {}
}
