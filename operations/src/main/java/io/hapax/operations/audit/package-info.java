/**
 * Audits. An audit reads a topic, looks up the mark of each message and reports which messages
 * would run again if the topic were replayed now.
 */
@NullMarked
package io.hapax.operations.audit;

import org.jspecify.annotations.NullMarked;
