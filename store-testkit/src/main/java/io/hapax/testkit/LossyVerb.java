package io.hapax.testkit;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A verb whose reply gets lost, on marks in every state: the same on every store, so that what a
 * store says may be compared with what the model says.
 */
enum LossyVerb {
  CLAIM((store, side, marks) -> store.claim(marks.newRequests(), Bench.LEASE)),
  RENEW((store, side, marks) -> store.renew(marks.claims(side), Bench.LEASE)),
  SETTLE_DONE(settling(new Verdict.Done(Bytes.utf8("receipt 7")))),
  SETTLE_RETRY(settling(Marks.DOUBTFUL)),
  SETTLE_DEFER(settling(Bench.DEFER)),
  SETTLE_RELEASE(settling(Bench.RELEASE)),
  SETTLE_DEAD(settling(Bench.DEAD)),
  SETTLE_MIXED(settling(Bench.DONE, Marks.DOUBTFUL, Bench.DEFER, Bench.RELEASE, Bench.DEAD)),
  FIND((store, side, marks) -> store.find(marks.keys())),
  LIST((store, side, marks) -> Stream.of(MarkQuery.Kind.values())
      .flatMap(
          kind -> store.list(MarkQuery.first(marks.scope(), kind, MarkQuery.MAX_LIMIT)).stream())
      .map(Mark::key)
      .sorted()
      .toList()),
  REOPEN(resolving("dead", MarkState.DEAD, Resolution.REOPEN)),
  FORCE_DONE(resolving("later", MarkState.RETRY, Resolution.FORCE_DONE)),
  /** How many marks it removed is not told: a part of them may be gone when the reply is lost. */
  PURGE((store, side, marks) -> {
    store.purge(1000);
    return List.of();
  });

  private interface Sending {
    List<?> send(DedupStore store, Subject side, Marks marks);
  }

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state
  private final Sending sending;

  LossyVerb(Sending sending) {
    this.sending = sending;
  }

  /** Sends the verb to a store on whose marks these claims stand; gives what it says. */
  List<?> send(DedupStore store, Subject side, Marks marks) {
    return sending.send(store, side, marks);
  }

  private static Sending settling(Verdict... verdicts) {
    return (store, side, marks) -> {
      List<Settlement> settlements = new ArrayList<>();
      for (Claim claim : marks.claims(side)) {
        settlements.add(new Settlement(claim, verdicts[settlements.size() % verdicts.length]));
      }
      return store.settle(settlements);
    };
  }

  private static Sending resolving(String id, MarkState state, Resolution resolution) {
    return (store, side, marks) -> {
      Claim seen = side.claimOf(marks.request(id));
      return List.of(store.resolve(seen.key(), seen.token(), state, resolution));
    };
  }

  /** Messages whose marks are in every state, in a scope of their own. */
  static final class Marks {

    static final Verdict DOUBTFUL = new Verdict.Retry(Duration.ofMinutes(7), true);

    private static final List<String> LOST = List.of("stale", "taken over");
    private static final List<String> OTHERS =
        List.of("held", "done", "dead", "later", "due", "deferred", "conflict");
    private static final Map<String, Verdict> ENDS = Map.of(
        "done", Bench.DONE,
        "dead", Bench.DEAD,
        "later", DOUBTFUL,
        "due", Bench.RETRY_NOW,
        "deferred", new Verdict.Defer(Duration.ZERO));

    private final Bench bench;
    private final List<ClaimRequest> lost;
    private final List<ClaimRequest> others;
    private final ClaimRequest successor;
    private final Claim forgotten;
    private final List<ClaimRequest> newRequests;

    Marks(Bench bench) {
      this.bench = bench;
      this.lost = LOST.stream().map(bench::request).toList();
      this.others = OTHERS.stream().map(bench::request).toList();
      this.successor = bench.solo("taken over");
      this.forgotten = forgotten(bench.request("forgotten"));
      this.newRequests = Stream.of(
              Stream.of("fresh", "fresh too", "stale").map(bench::solo),
              Stream.of("held", "done", "dead", "later", "due", "deferred").map(bench::request),
              Stream.of(Bench.withPayload(bench.request("conflict"), "another")))
          .flatMap(Function.identity())
          .toList();
    }

    private Claim forgotten(ClaimRequest request) {
      return new Claim(
          request.key(),
          request.nonce(),
          EpochMicros.of(bench.storeTime()) - 1_000_000,
          new Attempt(1, false, true, false),
          request.fingerprint(),
          request.origin());
    }

    /** Brings a store's marks into their states; in the middle its clock is moved. */
    void prepare(Subject side, Runnable leaseIsOver) {
      side.claim(lost);
      leaseIsOver.run();
      Claim before = side.claimOf(request("taken over"));
      side.claim(List.of(successor));
      side.remember(before);
      side.claim(others);
      ENDS.forEach((id, verdict) -> side.settle(side.claimOf(request(id)), verdict));
      side.remember(forgotten);
    }

    /** Tells which claims are the same on both sides. */
    void compare(ModelComparison alike, Subject real, Subject model) {
      alike.sameToken(forgotten.key(), forgotten.token());
      for (ClaimRequest request : Stream.concat(lost.stream(), others.stream()).toList()) {
        alike.sameClaim(real.claimOf(request), model.claimOf(request));
      }
    }

    ClaimRequest request(String id) {
      return Stream.of(lost, others)
          .flatMap(List::stream)
          .filter(request -> request.key().equals(bench.key(id)))
          .findFirst()
          .orElseThrow();
    }

    /** One more request for each message, each under a new nonce. */
    List<ClaimRequest> newRequests() {
      return newRequests;
    }

    /** A claim for each message that had one: current, late, ended or forgotten. */
    List<Claim> claims(Subject side) {
      return Stream.concat(
              Stream.concat(lost.stream(), others.stream()).map(side::claimOf),
              Stream.of(forgotten))
          .toList();
    }

    List<MessageKey> keys() {
      return Stream.of(
              "fresh",
              "fresh too",
              "forgotten",
              "stale",
              "taken over",
              "held",
              "done",
              "dead",
              "later",
              "due",
              "deferred",
              "conflict")
          .map(bench::key)
          .toList();
    }

    String scope() {
      return bench.scope();
    }
  }
}
