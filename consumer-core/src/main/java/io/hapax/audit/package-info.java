/**
 * Audits and replays. An audit reads a topic, looks up the mark of each message and reports which
 * messages would run again if the topic were replayed now. The adapters read the messages; this
 * package does what is the same for every broker.
 */
@NullMarked
package io.hapax.audit;

import org.jspecify.annotations.NullMarked;
