/**
 * Brings dead letters back on an operator's word. The adapters read letters and publish messages;
 * what is here is the same for every broker: what a letter says of its message's end, which letters
 * are meant, and what becomes of a message's mark. {@link io.hapax.redrive.MarkOperations} does the same
 * for messages whose mark is open and which do not come back.
 */
@NullMarked
package io.hapax.redrive;

import org.jspecify.annotations.NullMarked;
