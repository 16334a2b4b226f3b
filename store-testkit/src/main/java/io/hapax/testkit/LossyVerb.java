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
 * A verb whose reply is lost, on marks in every state. It is the same on every store, so that a
 * store can be compared with the model.
 */
enum LossyVerb {
  CLAIM((store, subject, marks) -> store.claim(marks.newRequests(), Bench.LEASE)),
  RENEW((store, subject, marks) -> store.renew(marks.claims(subject), Bench.LEASE)),
  SETTLE_DONE(settling(new Verdict.Done(Bytes.utf8("receipt 7")))),
  SETTLE_RETRY(settling(Marks.DOUBTFUL)),
  SETTLE_DEFER(settling(Bench.DEFER)),
  SETTLE_RELEASE(settling(Bench.RELEASE)),
  SETTLE_DEAD(settling(Bench.DEAD)),
  SETTLE_MIXED(settling(Bench.DONE, Marks.DOUBTFUL, Bench.DEFER, Bench.RELEASE, Bench.DEAD)),
  FIND((store, subject, marks) -> store.find(marks.keys())),
  LIST((store, subject, marks) -> Stream.of(MarkQuery.Kind.values())
      .flatMap(
          kind -> store.list(MarkQuery.first(marks.scope(), kind, MarkQuery.MAX_LIMIT)).stream())
      .map(Mark::key)
      .sorted()
      .toList()),
  REOPEN(resolving("dead", MarkState.DEAD, Resolution.REOPEN)),
  FORCE_DONE(resolving("later", MarkState.RETRY, Resolution.FORCE_DONE)),
  /** Ignores the number of removed marks: some may be removed before the reply is lost. */
  PURGE((store, subject, marks) -> {
    store.purge(1000);
    return List.of();
  });

  private interface Sending {
    List<?> send(DedupStore store, Subject subject, Marks marks);
  }

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state
  private final Sending sending;

  LossyVerb(Sending sending) {
    this.sending = sending;
  }

  /** Sends the verb to a store that granted these claims; returns its answers. */
  List<?> send(DedupStore store, Subject subject, Marks marks) {
    return sending.send(store, subject, marks);
  }

  private static Sending settling(Verdict... verdicts) {
    return (store, subject, marks) -> {
      List<Settlement> settlements = new ArrayList<>();
      for (Claim claim : marks.claims(subject)) {
        settlements.add(new Settlement(claim, verdicts[settlements.size() % verdicts.length]));
      }
      return store.settle(settlements);
    };
  }

  private static Sending resolving(String id, MarkState state, Resolution resolution) {
    return (store, subject, marks) -> {
      Claim seen = subject.claimOf(marks.request(id));
      return List.of(store.resolve(seen.key(), seen.token(), state, resolution));
    };
  }

  /** Messages with marks in every state, in a scope of their own. */
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

    /** Creates a store's marks; moves its clock halfway. */
    void prepare(Subject subject, Runnable expireLease) {
      subject.claim(lost);
      expireLease.run();
      Claim before = subject.claimOf(request("taken over"));
      subject.claim(List.of(successor));
      subject.remember(before);
      subject.claim(others);
      ENDS.forEach((id, verdict) -> subject.settle(subject.claimOf(request(id)), verdict));
      subject.remember(forgotten);
    }

    /** Reports which claims are the same in both stores. */
    void compare(ModelComparison comparison, Subject real, Subject model) {
      comparison.sameToken(forgotten.key(), forgotten.token());
      for (ClaimRequest request : Stream.concat(lost.stream(), others.stream()).toList()) {
        comparison.sameClaim(real.claimOf(request), model.claimOf(request));
      }
    }

    ClaimRequest request(String id) {
      return Stream.of(lost, others)
          .flatMap(List::stream)
          .filter(request -> request.key().equals(bench.key(id)))
          .findFirst()
          .orElseThrow();
    }

    /** Creates one more request for each message, each with a new nonce. */
    List<ClaimRequest> newRequests() {
      return newRequests;
    }

    /** Returns a claim of each message that had one: current, late, settled or lost. */
    List<Claim> claims(Subject subject) {
      return Stream.concat(
              Stream.concat(lost.stream(), others.stream()).map(subject::claimOf),
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
