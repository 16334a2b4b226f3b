package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import java.time.Duration;

/**
 * A message that is not due and holds back the messages behind it in its lane: a partition, a
 * queue, or the messages of one ordering key.
 *
 * @param message the message
 * @param coordinates where it lies in the broker
 * @param reason {@link Outcome.Reason#RETRY} if an attempt failed here;
 *     {@link Outcome.Reason#DEFERRED} if its handler deferred it here; {@link Outcome.Reason#BUSY}
 *     if another process has claimed it, or an attempt failed or was deferred there
 * @param dueIn the time until it can be tried; positive
 */
public record WaitingMessage(
    MessageKey message, String coordinates, Outcome.Reason reason, Duration dueIn) {}
