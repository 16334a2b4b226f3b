package io.hapax.jdbc;

import io.hapax.mark.MessageKey;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What one statement saw, and wrote.
 *
 * @param now the store's time
 * @param marks the marks that were there before
 * @param inserted the keys whose absent marks the statement has written
 * @param complete whether a key in neither of both has no mark; false if a mark of another
 *     transaction may have come in between
 */
record Snapshot(
    Instant now, Map<MessageKey, StoredMark> marks, Set<MessageKey> inserted, boolean complete) {}
