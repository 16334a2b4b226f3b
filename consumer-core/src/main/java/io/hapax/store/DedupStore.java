package io.hapax.store;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import java.time.Duration;
import java.util.List;

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
public interface DedupStore extends MarkAdmin {

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
   * {@return how long a DONE mark stays at least: the dedup window} A message that is delivered
   * again after that time may run again, so it must cover the broker's replays. No round trip.
   */
  Duration retention();
}
