package io.hapax.redis;

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
import java.util.List;
import java.util.Optional;

/** Finds and lists marks, and writes nothing: it refuses every verb that would write. */
final class ReadOnlyRedisStore implements DedupStore {

  private final Session session;
  private final Duration retention;
  private final ScriptVerbs verbs;
  private final MarkLister listing;

  ReadOnlyRedisStore(Session session, RedisSettings settings) {
    this.session = session;
    this.retention = settings.retention();
    this.verbs = new ScriptVerbs(session.executor());
    this.listing = new MarkLister(session.executor());
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    throw refused("claims");
  }

  @Override
  public Instant now(MessageKey key) {
    return verbs.now(key);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty() ? List.of() : verbs.find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return listing.list(query);
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    throw refused("renews");
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    throw refused("settles");
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    throw refused("resolves");
  }

  @Override
  public int purge(int limit) {
    throw refused("purges");
  }

  private static UnsupportedOperationException refused(String verb) {
    return new UnsupportedOperationException(
        "this store was opened with buildReadOnly() and " + verb + " nothing: use build()");
  }

  @Override
  public List<String> warnings() {
    return session.warnings();
  }

  @Override
  public Duration retention() {
    return retention;
  }

  @Override
  public void close() {
    session.close();
  }
}
