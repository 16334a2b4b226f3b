package io.hapax;

import io.hapax.mark.Mark;
import java.util.Optional;

/**
 * The result of a count of stale marks of a consumer, with those of all its instances.
 *
 * <p>A stale mark is usually harmless: the next delivery of its message takes it over. A stale mark
 * that stays needs an operator: its message was skipped by hand, or its partition has no consumer.
 *
 * @param stale the number of PROCESSING marks with an expired lease: their owners vanished, and no
 *     other owner has claimed them
 * @param inDoubt the number of PROCESSING and RETRY marks whose messages may have taken effect;
 *     such a mark may be stale as well
 * @param complete false if the count stopped at its limit: there may be more marks
 * @param oldest the counted stale mark that was claimed first; {@code claim().origin()} has its
 *     owner and the coordinates of its message
 */
public record StaleMarks(int stale, int inDoubt, boolean complete, Optional<Mark> oldest) {}
