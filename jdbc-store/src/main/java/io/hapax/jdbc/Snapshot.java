package io.hapax.jdbc;

import io.hapax.mark.MessageKey;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What one statement read and inserted.
 *
 * @param now the store's time
 * @param marks the marks that existed before
 * @param inserted the keys of the marks that the statement inserted
 * @param complete whether a key in neither of them has no mark; false if another transaction may
 *     have inserted one meanwhile
 */
record Snapshot(
    Instant now, Map<MessageKey, StoredMark> marks, Set<MessageKey> inserted, boolean complete) {}
