package io.hapax.store;

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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps marks. Each verb changes each mark atomically, as {@link io.hapax.mark.MarkMachine} does,
 * by the <em>store's</em> clock. The i-th answer belongs to the i-th argument; the keys of one call
 * are distinct. A verb costs a constant number of round trips, whatever the length of its list; an
 * empty list costs none.
 *
 * <p>Safe for use by many threads. A verb that throws {@link StoreException} may have been executed
 * for any of its items, and may be sent again with the same nonces. If only a part of the store
 * cannot be reached, its items are answered {@code Unavailable} and no exception is thrown.
 */
public interface DedupStore extends AutoCloseable {

  /**
   * Claims messages.
   *
   * @param requests the requests, keys distinct
   * @param lease the length of each lease; positive
   * @return an answer for each request
   * @throws StoreException if the store did not answer
   */
  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease);

  /**
   * Renews leases.
   *
   * @param claims the claims, keys distinct
   * @param lease the length of each lease, from now; positive
   * @return an answer for each claim
   * @throws StoreException if the store did not answer
   */
  List<RenewAnswer> renew(List<Claim> claims, Duration lease);

  /**
   * Settles claims; the verdicts may be mixed.
   *
   * @param settlements the settlements, keys distinct
   * @return an answer for each settlement
   * @throws StoreException if the store did not answer
   */
  List<SettleAnswer> settle(List<Settlement> settlements);

  /**
   * Looks marks up, for audits and operators. Only a claim decides whether a handler may run.
   *
   * @param keys the keys, distinct
   * @return the mark of each key; empty if there is none
   * @throws StoreException if the store did not answer
   */
  List<Optional<Mark>> find(List<MessageKey> keys);

  /**
   * Lists open and dead marks, a page at a time.
   *
   * @param query the kind of marks and the page
   * @return at most one page of marks, in the store's order
   * @throws StoreException if the store did not answer
   */
  List<Mark> list(MarkQuery query);

  /**
   * Resolves a mark for an operator. The store compares token and state in the same step as it
   * changes the mark. So of several callers with the same token at most one changes the mark. And a
   * settlement that arrived after the operator read the mark, which keeps the token, stays. A mark
   * whose lease is alive is changed only if the resolution is forced.
   *
   * @param key the message
   * @param expectedToken the token that the operator saw; a mark with another token is not changed
   * @param expectedState the state that the operator saw; a mark in another state is not changed
   * @param resolution the resolution; {@link Resolution} says which of them repeat an effect and
   *     which acknowledge a message that never ran
   * @return whether the mark was changed; also false if the resolution has no effect on it
   * @throws StoreException if the store did not answer
   */
  boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution);

  /**
   * Removes DONE marks whose retention has ended. A store may also remove open and dead marks after
   * a longer time. Many nodes may do so at the same time.
   *
   * @param limit the maximum number of marks; positive
   * @return the number of marks that were removed
   * @throws StoreException if the store did not answer
   */
  int purge(int limit);

  /**
   * {@return how long a DONE mark stays at least: the dedup window} A message that is delivered
   * again after that time may run again, so it must cover the broker's replays. No round trip.
   */
  Duration retention();

  /**
   * {@return a sentence, for people, for each setting of the store's servers with which a crash or
   * a full server may lose marks; empty if they keep all that they can} May cost a round trip.
   *
   * @throws StoreException if the store did not answer
   */
  default List<String> warnings() {
    return List.of();
  }

  /** Closes what the store opened itself. What it was given (data source, client) stays open. */
  @Override
  void close();
}
