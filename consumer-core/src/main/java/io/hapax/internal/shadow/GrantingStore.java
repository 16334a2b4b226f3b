package io.hapax.internal.shadow;

import io.hapax.mark.Attempt;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Grants every claim and keeps no mark. No record: equal stores would share ids in flight. */
final class GrantingStore implements DedupStore {

  private static final Attempt FIRST = new Attempt(1, false, true, false);

  private final InstantSource clock;
  private final Duration retention;

  GrantingStore(InstantSource clock, Duration retention) {
    this.clock = clock;
    this.retention = retention;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    Instant now = clock.instant();
    return requests.stream().map(it -> answer(it, now, lease)).toList();
  }

  private static ClaimAnswer answer(ClaimRequest request, Instant now, Duration lease) {
    Claim claim = new Claim(
        request.key(), request.nonce(), 1, FIRST, request.fingerprint(), request.origin());
    return new ClaimAnswer.Acquired(
        claim, ClaimAnswer.Kind.FRESH, now.plus(lease), Optional.empty());
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    RenewAnswer renewed = new RenewAnswer.Renewed(clock.instant().plus(lease), false);
    return claims.stream().map(claim -> renewed).toList();
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    SettleAnswer settled = new SettleAnswer.Settled(false);
    return settlements.stream().map(settlement -> settled).toList();
  }

  @Override
  public Instant now(MessageKey key) {
    return clock.instant();
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.stream().map(key -> Optional.<Mark>empty()).toList();
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return List.of();
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return false;
  }

  @Override
  public int purge(int limit) {
    return 0;
  }

  @Override
  public Duration retention() {
    return retention;
  }

  @Override
  public void close() {}
}
