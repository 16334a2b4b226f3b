package io.hapax;

import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A completed call of a handler.
 *
 * @param keys the messages of the call; at least one
 * @param took the time from the call to its return; not negative
 * @param failure the exception that it threw; empty if it returned. In transactional mode the
 *     commit follows after its return
 */
public record HandlerCall(List<MessageKey> keys, Duration took, Optional<Throwable> failure) {}
