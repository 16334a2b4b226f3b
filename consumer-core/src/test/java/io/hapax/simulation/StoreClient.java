package io.hapax.simulation;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One process's way to the store, on which calls and replies get late or lost. */
final class StoreClient implements DedupStore {

  private static final String NOT_FROM_THE_SEED =
      "nonce=Nonce\\[[^]]*\\], |, origin=Origin\\[[^]]*\\]";

  private final ConsumerProcess process;
  private final SimulatedStore store;
  private final Network network;

  StoreClient(ConsumerProcess process, SimulatedStore store, Network network) {
    this.process = process;
    this.store = store;
    this.network = network;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return call(
        "claim",
        () -> requests.stream()
            .map(request -> store.claim(process, request, lease))
            .toList());
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call(
        "renew",
        () -> claims.stream().map(claim -> store.renew(process, claim, lease)).toList());
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return call("settle", () -> settlements.stream().map(store::settle).toList());
  }

  private <A> List<A> call(String verb, Supplier<List<A>> execution) {
    return network.call(process, verb, () -> {
      List<A> answers = execution.get();
      process
          .world()
          .witness()
          .note(() ->
              process + " " + verb + " -> " + answers.toString().replaceAll(NOT_FROM_THE_SEED, ""));
      return answers;
    });
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    throw new StoreException("the engine does not ask");
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    throw new StoreException("the engine does not ask");
  }

  @Override
  public boolean resolve(MessageKey key, long expectedToken, Resolution resolution) {
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
