package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Stores that are correct while every reply arrives, and stores that are correct without
 * concurrency.
 */
final class BrokenConnections {

  /** A bug, the test that must detect it, and a fixture that opens the store. */
  record Broken<F extends StoreFixture>(String what, String contractTest, Supplier<F> fixture) {}

  private static final String REPEATED = "a_lost_command_has_no_lasting_effect_when_it_is_repeated";

  static final List<Broken<RemoteStoreFixture>> LOSSY = List.of(
      server(
          "answers busy to the resend of its own claim",
          REPEATED,
          BrokenClaims.claims((mark, request, lease, now) -> {
            boolean own = mark.state() == MarkState.PROCESSING
                && mark.claim().nonce().equals(request.nonce());
            return own
                ? new Transition<>(mark, new ClaimAnswer.Busy(lease))
                : MarkMachine.claim(mark, request, lease, now);
          })),
      server(
          "fences an owner that settles again",
          REPEATED,
          BrokenOwners.settlements((mark, it, now) -> {
            boolean open = mark.state() == MarkState.PROCESSING || mark.state() == MarkState.ABSENT;
            return open
                ? MarkMachine.settle(mark, it, now)
                : new Transition<>(mark, new SettleAnswer.Fenced(mark.state()));
          })),
      server(
          "carries a resolution out whatever its token",
          REPEATED,
          BrokenOperators.decisions((mark, token, state, it, now) ->
              MarkMachine.resolve(mark, mark.claim().token(), mark.state(), it, now))),
      client("sends a claim again under another nonce", REPEATED, NewNonces::new),
      client("takes silence for success", REPEATED, SilenceIsSuccess::new),
      client(
          "finds nothing if no server answers",
          REPEATED,
          (line, target) -> new RemoteMachineStore<MachineStore>(line, target) {
            @Override
            public List<Optional<Mark>> find(List<MessageKey> keys) {
              try {
                return super.find(keys);
              } catch (StoreException e) {
                return keys.stream().map(key -> Optional.<Mark>empty()).toList();
              }
            }
          }),
      client(
          "answers that its messages are done when its server is gone",
          "a_store_fails_without_its_server_and_recovers_with_it",
          SilenceIsSuccess::new),
      line(
          "keeps a connection that broke",
          "a_store_recovers_from_reset_connections",
          KeepsBroken::new),
      line(
          "keeps a connection that has fallen silent",
          "a_store_replaces_connections_that_stay_silent",
          KeepsBroken::new),
      line(
          "waits for its server for ever",
          "a_store_gives_a_silent_server_up_and_recovers_with_it",
          WaitsForEver::new));

  static final List<Broken<RemoteTransactionalStoreFixture<HeapTransaction>>> TRANSACTIONAL =
      List.of(
          new Broken<>(
              "takes an unknown commit for a failed one",
              "a_batch_with_a_lost_command_takes_effect_once",
              () -> new RemoteUndoableFixture((line, target) ->
                  new RemoteUndoableStore(line, target) {
                    @Override
                    protected <A> A commit(Supplier<A> everything, List<String> effects) {
                      try {
                        return super.commit(everything, effects);
                      } catch (CommitUnknownException e) {
                        throw new StoreException("the commit failed", e);
                      }
                    }
                  })),
          new Broken<>(
              "takes an unknown commit for a success",
              "a_completion_with_a_lost_command_takes_effect_once",
              () -> new RemoteUndoableFixture((line, target) ->
                  new RemoteUndoableStore(line, target) {
                    @Override
                    public <X extends Exception> SettleAnswer completeWith(
                        Claim claim, Work<HeapTransaction, X> work) throws X {
                      try {
                        return super.completeWith(claim, work);
                      } catch (CommitUnknownException e) {
                        super.settle(List.of(new Settlement(claim, Bench.DONE)));
                        return new SettleAnswer.Settled(false);
                      }
                    }
                  })),
          new Broken<>(
              "commits effects without looking at the mark again",
              "a_batch_with_a_lost_command_takes_effect_once",
              () -> new RemoteUndoableFixture((line, target) ->
                  new RemoteUndoableStore(line, target) {
                    @Override
                    protected <A> A commit(Supplier<A> everything, List<String> effects) {
                      return super.commit(
                          () -> {
                            int known =
                                effects.stream().mapToInt(target()::effects).sum();
                            A answer = everything.get();
                            if (effects.stream().mapToInt(target()::effects).sum() == known) {
                              target().commit(Map.of(), effects);
                            }
                            return answer;
                          },
                          effects);
                    }
                  })));

  static final List<Broken<StoreFixture>> CROWDED = List.of(
      new Broken<>(
          "reads a mark first and writes it later",
          "each_claim_generation_of_a_message_has_one_winner",
          () -> new InMemoryFixture((clock, retention) -> new MachineStore(clock, retention) {
            @Override
            public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
              Map<MessageKey, Mark> seen = new HashMap<>();
              for (ClaimRequest request : requests) {
                seen.put(
                    request.key(),
                    Optional.ofNullable(marks().get(request.key()))
                        .orElseGet(() -> Mark.absent(request.key())));
              }
              LockSupport.parkNanos(1000); // another caller may read here
              return requests.stream()
                  .map(request -> {
                    Mark mark = Optional.ofNullable(seen.get(request.key())).orElseThrow();
                    Transition<ClaimAnswer> next = claim(mark, request, lease);
                    put(next.next());
                    return next.answer();
                  })
                  .toList();
            }
          })),
      new Broken<>(
          "releases by deleting the mark",
          "each_claim_generation_of_a_message_has_one_winner",
          () -> new InMemoryFixture(
              BrokenStores.that("releases by deleting the mark").opening())));

  static final List<Broken<RestartableStoreFixture>> RESTARTED = List.of(new Broken<>(
      "answers before its marks are on the disk",
      "a_server_killed_in_mid_batch_loses_and_doubles_nothing",
      () -> new RemoteHeapFixture(WritesLater::new, RemoteMachineStore::new)));

  private BrokenConnections() {}

  private static Broken<RemoteStoreFixture> server(
      String what, String contractTest, BiFunction<InstantSource, Duration, MachineStore> opening) {
    return new Broken<>(
        what, contractTest, () -> new RemoteHeapFixture(opening, RemoteMachineStore::new));
  }

  private static Broken<RemoteStoreFixture> client(
      String what,
      String contractTest,
      BiFunction<HeapConnection, MachineStore, DedupStore> client) {
    return new Broken<>(what, contractTest, () -> new RemoteHeapFixture(MachineStore::new, client));
  }

  private interface Lines {
    HeapConnection to(int port);
  }

  private static Broken<RemoteStoreFixture> line(String what, String contractTest, Lines lines) {
    return client(
        what,
        contractTest,
        (line, target) -> new RemoteMachineStore<>(lines.to(line.port()), target));
  }

  private static final class NewNonces extends RemoteMachineStore<MachineStore> {
    NewNonces(HeapConnection line, MachineStore target) {
      super(line, target);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
      try {
        return super.claim(requests, lease);
      } catch (StoreException e) {
        return super.claim(requests.stream().map(NewNonces::renewed).toList(), lease);
      }
    }

    private static ClaimRequest renewed(ClaimRequest request) {
      return new ClaimRequest(
          request.key(), Bench.nonce(), request.fingerprint(), request.origin(), request.terms());
    }
  }

  private static final class SilenceIsSuccess extends RemoteMachineStore<MachineStore> {
    SilenceIsSuccess(HeapConnection line, MachineStore target) {
      super(line, target);
    }

    @Override
    public List<SettleAnswer> settle(List<Settlement> settlements) {
      try {
        return super.settle(settlements);
      } catch (StoreException e) {
        return settlements.stream()
            .<SettleAnswer>map(it -> new SettleAnswer.Settled(false))
            .toList();
      }
    }
  }

  private static final class KeepsBroken extends HeapConnection {
    KeepsBroken(int port) {
      super(port);
    }

    @Override
    protected void broken() {
      // It will recover.
    }
  }

  private static final class WaitsForEver extends HeapConnection {
    WaitsForEver(int port) {
      super(port);
    }

    @Override
    protected int timeoutMillis() {
      return 0;
    }
  }

  /** Every hundredth settlement is written to the disk, with all before it. */
  private static final class WritesLater extends MachineStore {
    private static final int OFTEN = 100;

    private final Set<MessageKey> unwritten = new HashSet<>();

    WritesLater(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      synchronized (unwritten) {
        if (unwritten.size() >= OFTEN) {
          unwritten.clear();
        }
        unwritten.add(mark.key());
      }
      return super.settle(mark, it);
    }

    @Override
    protected void crash() {
      synchronized (unwritten) {
        unwritten.forEach(marks()::remove);
      }
    }
  }
}
