package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** A store under test, a scope of its own, and short helpers; each contract's tests inherit it. */
interface Bench {

  /** Far longer than any test runs, so that no lease expires by itself. */
  Duration LEASE = Duration.ofMinutes(10);

  Duration RETRY_DELAY = Duration.ofMinutes(5);
  Verdict DONE = Verdict.Done.WITHOUT_RESULT;
  Verdict RECEIPT = new Verdict.Done(Bytes.utf8("receipt 7"));
  Verdict RETRY_LATER = new Verdict.Retry(RETRY_DELAY, false);
  Verdict RETRY_NOW = new Verdict.Retry(Duration.ZERO, false);
  Verdict DEFER = new Verdict.Defer(RETRY_DELAY);
  Verdict RELEASE = new Verdict.Release();
  Verdict DEAD = new Verdict.Dead("no such customer");

  /** The bench of a test that inherits none. */
  record Scoped(StoreFixture fixture, String scope) implements Bench {}

  static Bench on(StoreFixture fixture) {
    return new Scoped(fixture, newScope());
  }

  static String newScope() {
    return "contract/" + UUID.randomUUID();
  }

  StoreFixture fixture();

  String scope();

  default DedupStore store() {
    return fixture().store();
  }

  default DedupStore other() {
    return fixture().other();
  }

  default MessageKey key(String id) {
    return MessageKey.of(scope(), id);
  }

  /** Creates a shared claim with a new nonce; the fingerprint of its payload is that of the id. */
  default ClaimRequest request(String id) {
    return request(key(id));
  }

  static ClaimRequest request(MessageKey key) {
    return new ClaimRequest(
        key,
        nonce(),
        Fingerprint.of(key.id().toByteArray()),
        new Origin("host-1/orders", "orders-3@1507"),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  default ClaimRequest solo(String id) {
    return alone(request(id));
  }

  static ClaimRequest alone(ClaimRequest shared) {
    return withTerms(shared, new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  static ClaimRequest withTerms(ClaimRequest request, ClaimTerms terms) {
    return new ClaimRequest(
        request.key(), request.nonce(), request.fingerprint(), request.origin(), terms);
  }

  static ClaimRequest withPayload(ClaimRequest request, String payload) {
    return withFingerprint(request, Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8)));
  }

  static ClaimRequest withFingerprint(ClaimRequest request, Fingerprint fingerprint) {
    return new ClaimRequest(
        request.key(), request.nonce(), fingerprint, request.origin(), request.terms());
  }

  static Claim withToken(Claim claim, long token) {
    return new Claim(
        claim.key(), claim.nonce(), token, claim.attempt(), claim.fingerprint(), claim.origin());
  }

  static Claim withAttempt(Claim claim, Attempt attempt) {
    return new Claim(
        claim.key(), claim.nonce(), claim.token(), attempt, claim.fingerprint(), claim.origin());
  }

  static Claim withNonce(Claim claim, Nonce nonce) {
    return new Claim(
        claim.key(), nonce, claim.token(), claim.attempt(), claim.fingerprint(), claim.origin());
  }

  static Nonce nonce() {
    UUID random = UUID.randomUUID();
    return new Nonce(random.getMostSignificantBits(), random.getLeastSignificantBits());
  }

  /** Returns the claim as a DONE mark shows it. */
  default Claim whenDone(Claim claim) {
    return withNonce(claim, fixture().keptWhenDone(claim.nonce()));
  }

  default ClaimAnswer claim(ClaimRequest request) {
    return only(store().claim(List.of(request), LEASE));
  }

  default Acquired acquire(ClaimRequest request) {
    return acquired(claim(request));
  }

  default Claim held(String id) {
    return acquire(request(id)).claim();
  }

  default Claim settled(String id, Verdict verdict) {
    Claim claim = held(id);
    assertThat(settle(claim, verdict)).isEqualTo(new SettleAnswer.Settled(false));
    return claim;
  }

  /** Creates a claim that its owner knows and the store has lost. */
  default Claim forgotten(String id) {
    ClaimRequest request = request(id);
    long token = EpochMicros.of(storeTime()) - 1_000_000;
    Attempt attempt = new Attempt(1, false, true, false);
    return new Claim(
        request.key(), request.nonce(), token, attempt, request.fingerprint(), request.origin());
  }

  default RenewAnswer renew(Claim claim) {
    return only(store().renew(List.of(claim), LEASE));
  }

  default SettleAnswer settle(Claim claim, Verdict verdict) {
    return only(store().settle(List.of(new Settlement(claim, verdict))));
  }

  default Mark mark(String id) {
    return only(store().find(List.of(key(id)))).orElseGet(() -> Mark.absent(key(id)));
  }

  default MarkState state(String id) {
    return mark(id).state();
  }

  default void advance(Duration by) {
    fixture().advance(by);
  }

  default void expireLease() {
    advance(LEASE.plusSeconds(1));
  }

  default void purgeAll() {
    int removed = store().purge(1000);
    while (removed > 0) {
      removed = store().purge(1000);
    }
  }

  default void endRetention() {
    advance(fixture().retention().plusSeconds(1));
  }

  default void makeRetryDue() {
    advance(RETRY_DELAY.plusSeconds(1));
  }

  default Instant storeTime() {
    return store().now(key("any"));
  }

  static List<String> ids(int number) {
    return IntStream.range(0, number).mapToObj(i -> "m" + i).toList();
  }

  default List<MessageKey> keys(int number) {
    return ids(number).stream().map(this::key).toList();
  }

  default List<ClaimRequest> requests(List<String> ids) {
    return ids.stream().map(this::request).toList();
  }

  /** Returns the claims of those answers that acquired one. */
  static List<Claim> acquired(List<ClaimAnswer> answers) {
    return answers.stream()
        .filter(Acquired.class::isInstance)
        .map(answer -> acquired(answer).claim())
        .toList();
  }

  static Acquired acquired(ClaimAnswer answer) {
    return as(Acquired.class, answer);
  }

  static <A> A as(Class<A> kind, Object answer) {
    assertThat(answer).isInstanceOf(kind);
    return kind.cast(answer);
  }

  static <E> E only(List<E> answers) {
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }
}
