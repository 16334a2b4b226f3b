package io.hapax;

import java.time.Duration;

/**
 * What a receiver in shadow mode has found since it was built: how many messages ran, and what
 * Hapax would have done differently. Each message counts once for each time it was delivered, and
 * counts when the store has answered and its handler has returned. The report is a snapshot. It
 * says nothing about acknowledgements: in shadow mode the handler alone decides about them.
 *
 * <p>A message is <em>unjudged</em> for one of these reasons:
 *
 * <ul>
 *   <li>The store failed, or did not answer before the receiver was closed.
 *   <li>The lease was lost before the mark was settled.
 *   <li>As many messages as {@link ReceiverBuilder#claimWindow} waited for the store, so that this
 *       one was not shown to it.
 *   <li>Another copy ran at the same time in this process, and left no DONE mark.
 *   <li>The message was abandoned, or the receiver closed, while its handler ran.
 *   <li>The consumer has moved to another generation.
 *   <li>An unexpected exception or an {@code OutOfMemoryError} ended its claim.
 * </ul>
 *
 * @param marked messages that ran under a claim and whose marks are DONE
 * @param failed messages that ran under a claim and failed; all failed runs of a message together
 *     use at most one attempt
 * @param duplicates messages that would have been skipped: their marks were settled before
 * @param concurrentCopies messages that would have waited, because another copy ran beside them
 * @param conflicts messages whose id was known with another payload
 * @param withoutIdentity messages that have no usable id or fingerprint
 * @param unjudged messages about which the store gave no usable answer, see above
 * @param neededRetention the longest time between the settlement of a mark and a duplicate. A dedup
 *     window of this length would have been enough for the duplicates that were seen. A duplicate
 *     of an older mark is not seen: the store has forgotten the mark. It lasts from the store's
 *     time of the settlement to this process's time of the duplicate, so a difference between the
 *     two clocks is part of it
 */
public record ShadowReport(
    long marked,
    long failed,
    long duplicates,
    long concurrentCopies,
    long conflicts,
    long withoutIdentity,
    long unjudged,
    Duration neededRetention) {

  /** {@return how many messages were not protected: they had no claim, or it was lost} */
  public long withoutClaim() {
    return duplicates + concurrentCopies + conflicts + withoutIdentity + unjudged;
  }
}
