package io.hapax.simulation;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One process's way to the store, on which calls and replies get late or lost. */
class StoreClient implements DedupStore {

  private static final String NOT_FROM_THE_SEED =
      "nonce=Nonce\\[[^]]*\\], |, origin=Origin\\[[^]]*\\]";

  final ConsumerProcess process;
  final SimulatedStore store;
  final Network network;

  StoreClient(ConsumerProcess process, SimulatedStore store, Network network) {
    this.process = process;
    this.store = store;
    this.network = network;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    List<MessageKey> keys = requests.stream().map(ClaimRequest::key).toList();
    try {
      return call(
          "claim",
          keys,
          () -> requests.stream()
              .map(request -> store.claim(process, request, lease))
              .toList());
    } catch (StoreContentionException locked) {
      return busy(requests);
    } catch (StoreException outage) {
      if (!process.world().makes(Mistake.CLIENT_TAKES_AN_OUTAGE_FOR_DONE)) {
        throw outage;
      }
      return Collections.nCopies(
          requests.size(), new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false));
    }
  }

  /** What is locked longer than anybody waits. */
  static List<ClaimAnswer> busy(List<ClaimRequest> requests) {
    return requests.stream()
        .<ClaimAnswer>map(request -> new ClaimAnswer.Busy(Network.LOCK_WAIT))
        .toList();
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call(
        "renew",
        claims.stream().map(Claim::key).toList(),
        () -> claims.stream().map(claim -> store.renew(process, claim, lease)).toList());
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    List<MessageKey> keys = settlements.stream().map(it -> it.claim().key()).toList();
    try {
      return call("settle", keys, () -> settlements.stream().map(store::settle).toList());
    } catch (StoreException silence) {
      if (!process.world().makes(Mistake.CLIENT_TAKES_SILENCE_FOR_SETTLED)) {
        throw silence;
      }
      return Collections.nCopies(settlements.size(), new SettleAnswer.Settled(false));
    }
  }

  private <A> List<A> call(String verb, List<MessageKey> keys, Supplier<List<A>> execution) {
    return network.call(process, verb, () -> store.anyLocked(keys), () -> {
      List<A> answers = execution.get();
      note(verb, answers);
      return answers;
    });
  }

  void note(String verb, Object answers) {
    process
        .world()
        .witness()
        .note(() ->
            process + " " + verb + " -> " + answers.toString().replaceAll(NOT_FROM_THE_SEED, ""));
  }

  @Override
  public Instant now(MessageKey key) {
    return network.call(process, "now", () -> false, store::now);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return call("find", List.of(), () -> keys.stream().map(store::mark).toList());
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    throw new StoreException("the engine does not ask");
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    throw new StoreException("the engine does not ask");
  }

  @Override
  public int purge(int limit) {
    return 0;
  }

  @Override
  public Duration retention() {
    return SimulatedStore.RETENTION;
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
