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
 * Keeps marks. Each verb does to each mark, atomically, exactly what
 * {@link io.hapax.mark.MarkMachine} does, judged by the <em>store's</em> clock. The i-th answer
 * belongs to the i-th argument; the keys of one call are distinct. A verb costs a constant number
 * of round trips, whatever the length of its list; an empty list costs none.
 *
 * <p>Safe for use by many threads. A verb that throws {@link StoreException} may have been executed
 * or not, for any of its items, and may be sent again with the same nonces. If only a part of the
 * store cannot be reached, the items of that part are answered {@code Unavailable} and no exception
 * is thrown.
 */
public interface DedupStore extends AutoCloseable {

  /**
   * Claims messages.
   *
   * @param requests the requests, keys distinct
   * @param lease how long each claim is to live; positive
   * @return an answer for each request
   * @throws StoreException if the store did not answer
   */
  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease);

  /**
   * Renews leases.
   *
   * @param claims the claims, keys distinct
   * @param lease how long each is to live from now; positive
   * @return an answer for each claim
   * @throws StoreException if the store did not answer
   */
  List<RenewAnswer> renew(List<Claim> claims, Duration lease);

  /**
   * Ends claims; all verdicts may be mixed.
   *
   * @param settlements the settlements, keys distinct
   * @return an answer for each settlement
   * @throws StoreException if the store did not answer
   */
  List<SettleAnswer> settle(List<Settlement> settlements);

  /**
   * Looks marks up, for audit and operators. Never decide from it whether to run a handler: only a
   * claim may do that.
   *
   * @param keys the keys, distinct
   * @return the mark of each key, empty where there is none
   * @throws StoreException if the store did not answer
   */
  List<Optional<Mark>> find(List<MessageKey> keys);

  /**
   * Lists open and dead marks, a page at a time.
   *
   * @param query which marks
   * @return at most a page of marks, in an order of the store's own
   * @throws StoreException if the store did not answer
   */
  List<Mark> list(MarkQuery query);

  /**
   * Carries out an operator's decision. Compares token and state in one step with the change: of
   * several callers with one token at most one changes the mark, and an owner who settles between
   * look and decision, which keeps the token, is not overruled. A mark whose lease is alive is
   * changed only if the decision is forced.
   *
   * @param key the message
   * @param expectedToken the token that the operator saw; if the mark has another one, nothing is
   *     changed
   * @param expectedState the state that the operator saw; if the mark has another one, nothing is
   *     changed
   * @param resolution the decision; {@link Resolution} says which of them repeat an effect and
   *     which acknowledge a message that never ran
   * @return whether the mark was changed; false too where the decision has nothing to change
   * @throws StoreException if the store did not answer
   */
  boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution);

  /**
   * Removes DONE marks whose retention is over. Safe to run from many nodes at once.
   *
   * @param limit at most so many marks; positive
   * @return how many were removed
   * @throws StoreException if the store did not answer
   */
  int purge(int limit);

  /**
   * How long a DONE mark stays at least: the dedup window. A message that comes again later than
   * this after it was done may run again, so it must cover how far back the broker can replay. No
   * round trip.
   *
   * @return positive
   */
  Duration retention();

  /**
   * Gives back what the store opened itself; what it was handed (a data source, a client) stays
   * open.
   */
  @Override
  void close();
}
