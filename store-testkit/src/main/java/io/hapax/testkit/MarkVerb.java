package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A verb on marks in every state. It is the same on every store, so that a store can be compared
 * with the model. The verbs up to {@link #PURGE} are also sent over connections that fail.
 */
enum MarkVerb {
  CLAIM((store, subject, marks) -> store.claim(marks.newRequests(), Bench.LEASE)),
  RENEW(renewing(claim -> claim)),
  SETTLE_DONE(settling(Bench.RECEIPT)),
  SETTLE_RETRY(settling(Marks.DOUBTFUL)),
  SETTLE_DEFER(settling(Bench.DEFER)),
  SETTLE_RELEASE(settling(Bench.RELEASE)),
  SETTLE_DEAD(settling(Bench.DEAD)),
  SETTLE_MIXED(settling(Marks.MIXED)),
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
  }),

  CLAIM_BY_OTHERS(claiming(Marks::others, request -> request)),
  CLAIM_SOLO(claiming(Marks::others, Bench::alone)),
  CLAIM_IN_TIME(claiming(Marks::inTime, request -> request)),
  CLAIM_LATE(claiming(Marks::others, Marks::late)),
  CLAIM_OTHER_PAYLOAD(claiming(Marks::others, Marks::otherPayload)),
  CLAIM_OTHER_PAYLOAD_LATE(claiming(Marks::others, it -> Marks.late(Marks.otherPayload(it)))),
  CLAIM_WITHOUT_FINGERPRINT(
      claiming(Marks::others, it -> Bench.withFingerprint(it, Fingerprint.NONE))),
  CLAIM_AGAIN(claiming(Marks::own, request -> request)),
  CLAIM_AGAIN_LATE(claiming(Marks::own, Marks::late)),
  CLAIM_AGAIN_OTHER_PAYLOAD(claiming(Marks::own, Marks::otherPayload)),
  RENEW_OTHER_NONCE(renewing(Marks::otherNonce)),
  RENEW_OTHER_TOKEN(renewing(Marks::otherToken)),
  SETTLE_OTHER_NONCE(settling(Marks::otherNonce, Marks.MIXED)),
  SETTLE_OTHER_TOKEN(settling(Marks::otherToken, Marks.MIXED)),
  REOPEN_EACH(resolvingEach(Resolution.REOPEN)),
  REOPEN_EACH_BY_FORCE(resolvingEach(Resolution.REOPEN.force())),
  REOPEN_EACH_ANY_PAYLOAD(resolvingEach(Resolution.REOPEN_ANY_PAYLOAD)),
  REOPEN_EACH_ANY_PAYLOAD_BY_FORCE(resolvingEach(Resolution.REOPEN_ANY_PAYLOAD.force())),
  FORCE_EACH_DONE(resolvingEach(Resolution.FORCE_DONE)),
  FORCE_EACH_DONE_BY_FORCE(resolvingEach(Resolution.FORCE_DONE.force())),
  DONE_EACH_ANY_PAYLOAD(resolvingEach(Resolution.DONE_ANY_PAYLOAD)),
  DONE_EACH_ANY_PAYLOAD_BY_FORCE(resolvingEach(Resolution.DONE_ANY_PAYLOAD.force())),
  DONE_EACH_ANY_PAYLOAD_OTHER_TOKEN(
      resolvingEach(Resolution.DONE_ANY_PAYLOAD, Marks::tokenTooHigh, Mark::state)),
  DONE_EACH_ANY_PAYLOAD_TWICE(twice(resolvingEach(Resolution.DONE_ANY_PAYLOAD))),
  FORGET_EACH(resolvingEach(Resolution.FORGET)),
  FORGET_EACH_BY_FORCE(resolvingEach(Resolution.FORGET.force())),
  RESOLVE_OTHER_TOKEN(
      resolvingEach(Resolution.FORCE_DONE.force(), Marks::tokenTooHigh, Mark::state)),
  RESOLVE_OTHER_STATE(resolvingEach(
      Resolution.FORCE_DONE.force(), mark -> mark.claim().token(), mark -> MarkState.PROCESSING));

  private interface Sending {
    List<?> send(DedupStore store, Subject subject, Marks marks);
  }

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state
  private final Sending sending;

  MarkVerb(Sending sending) {
    this.sending = sending;
  }

  /** Sends the verb to a store that granted these claims; returns its answers. */
  List<?> send(DedupStore store, Subject subject, Marks marks) {
    return sending.send(store, subject, marks);
  }

  private static Sending claiming(
      Function<Marks, List<ClaimRequest>> requests, UnaryOperator<ClaimRequest> change) {
    return (store, subject, marks) ->
        store.claim(requests.apply(marks).stream().map(change).toList(), Bench.LEASE);
  }

  private static Sending renewing(UnaryOperator<Claim> change) {
    return (store, subject, marks) ->
        store.renew(marks.claims(subject).stream().map(change).toList(), Bench.LEASE);
  }

  private static Sending settling(Verdict... verdicts) {
    return settling(claim -> claim, verdicts);
  }

  private static Sending settling(UnaryOperator<Claim> change, Verdict... verdicts) {
    return (store, subject, marks) -> {
      List<Settlement> settlements = new ArrayList<>();
      for (Claim claim : marks.claims(subject)) {
        Verdict verdict = verdicts[settlements.size() % verdicts.length];
        settlements.add(new Settlement(change.apply(claim), verdict));
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

  private static Sending resolvingEach(Resolution resolution) {
    return resolvingEach(resolution, mark -> mark.claim().token(), Mark::state);
  }

  private static Sending resolvingEach(
      Resolution resolution, ToLongFunction<Mark> token, Function<Mark, MarkState> state) {
    return (store, subject, marks) -> marks.keys().stream()
        .map(key -> store.find(List.of(key)).get(0).orElseGet(() -> Mark.absent(key)))
        .map(mark ->
            store.resolve(mark.key(), token.applyAsLong(mark), state.apply(mark), resolution))
        .toList();
  }

  private static Sending twice(Sending sending) {
    return (store, subject, marks) -> Stream.of(1, 2)
        .flatMap(time -> sending.send(store, subject, marks).stream())
        .toList();
  }

  /** Messages with marks in every state, in a scope of their own. */
  static final class Marks {

    static final Verdict DOUBTFUL = new Verdict.Retry(Duration.ofMinutes(7), true);
    static final Verdict[] MIXED = {
      Bench.DONE, DOUBTFUL, Bench.DEFER, Bench.RELEASE, Bench.DEAD, Bench.RECEIPT
    };

    private static final List<String> ABSENT = List.of("fresh", "fresh too", "forgotten");
    private static final List<String> LOST = List.of("stale", "alone", "internal", "taken over");
    private static final Map<String, Verdict> ENDS = Map.of(
        "done", Bench.DONE,
        "receipt", Bench.RECEIPT,
        "dead", Bench.DEAD,
        "later", DOUBTFUL,
        "due", Bench.RETRY_NOW,
        "in doubt", new Verdict.Retry(Duration.ZERO, true),
        "deferred", new Verdict.Defer(Duration.ZERO),
        "deferred later", Bench.DEFER,
        "released", Bench.RELEASE);
    private static final List<String> HELD = Stream.concat(
            Stream.of("held", "conflict"), ENDS.keySet().stream().sorted())
        .toList();

    private final Bench bench;
    private final List<ClaimRequest> lost;
    private final List<ClaimRequest> held;
    private final ClaimRequest successor;
    private final Claim forgotten;
    private final List<ClaimRequest> others;
    private final Instant inTime;

    Marks(Bench bench) {
      this.bench = bench;
      this.inTime = bench.storeTime().plus(Bench.LEASE.multipliedBy(2));
      this.lost = List.of(
          bench.request("stale"),
          bench.solo("alone"),
          Bench.withTerms(
              bench.request("internal"), new ClaimTerms(true, false, ClaimTerms.ANY_TIME)),
          bench.request("taken over"));
      this.held = bench.requests(HELD);
      this.successor = bench.solo("taken over");
      this.forgotten = bench.forgotten("forgotten");
      this.others = Stream.of(ABSENT, LOST, HELD)
          .flatMap(List::stream)
          .map(bench::request)
          .toList();
    }

    /** Creates a store's marks; moves its clock halfway. */
    void prepare(Subject subject, Runnable expireLease) {
      subject.claim(lost);
      expireLease.run();
      Claim before = subject.claimOf(request("taken over"));
      subject.claim(List.of(successor));
      subject.remember(before);
      subject.claim(held);
      ENDS.forEach((id, verdict) -> subject.settle(subject.claimOf(request(id)), verdict));
      subject.remember(forgotten);
    }

    /** Reports which claims are the same in both stores. */
    void compare(ModelComparison comparison, Subject real, Subject model) {
      comparison.sameToken(forgotten.key(), forgotten.token());
      own().forEach(it -> comparison.sameClaim(real.claimOf(it), model.claimOf(it)));
    }

    /** Returns the requests that claimed the messages first. */
    List<ClaimRequest> own() {
      return Stream.concat(lost.stream(), held.stream()).toList();
    }

    ClaimRequest request(String id) {
      return own().stream()
          .filter(request -> request.key().equals(bench.key(id)))
          .findFirst()
          .orElseThrow();
    }

    /** Returns one more request for each message, each with a new nonce. */
    List<ClaimRequest> others() {
      return others;
    }

    /** Returns the same requests with a last moment that has not passed. */
    List<ClaimRequest> inTime() {
      ClaimTerms terms = new ClaimTerms(false, true, inTime);
      return others.stream().map(it -> Bench.withTerms(it, terms)).toList();
    }

    /** Returns requests for messages in every state: shared ones, solo ones, another payload. */
    List<ClaimRequest> newRequests() {
      Set<MessageKey> solo =
          Stream.of("fresh", "fresh too", "stale").map(bench::key).collect(Collectors.toSet());
      return others.stream()
          .map(it -> solo.contains(it.key()) ? Bench.alone(it) : it)
          .map(it -> it.key().equals(bench.key("conflict")) ? otherPayload(it) : it)
          .toList();
    }

    /** Returns a claim of each message that had one: current, late, settled or lost. */
    List<Claim> claims(Subject subject) {
      return Stream.concat(own().stream().map(subject::claimOf), Stream.of(forgotten))
          .toList();
    }

    List<MessageKey> keys() {
      return others.stream().map(ClaimRequest::key).toList();
    }

    String scope() {
      return bench.scope();
    }

    private static ClaimRequest late(ClaimRequest request) {
      return Bench.withTerms(request, new ClaimTerms(true, true, Instant.EPOCH));
    }

    private static ClaimRequest otherPayload(ClaimRequest request) {
      return Bench.withPayload(request, "another payload");
    }

    private static long tokenTooHigh(Mark mark) {
      return mark.claim().token() + 1;
    }

    private static Claim otherNonce(Claim claim) {
      return Bench.withNonce(claim, new Nonce(1, 2));
    }

    private static Claim otherToken(Claim claim) {
      return Bench.withToken(claim, claim.token() + 1);
    }
  }
}
