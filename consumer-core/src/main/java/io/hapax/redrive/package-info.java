/**
 * Redrives dead-letter records for operators. The adapters read records and publish messages. This
 * package does what is the same for every broker: it reads why a message was dead-lettered, selects
 * records, and reopens marks. {@link io.hapax.redrive.MarkOperations} does the same for messages
 * whose mark is open and which their broker does not redeliver.
 */
@NullMarked
package io.hapax.redrive;

import org.jspecify.annotations.NullMarked;
