/**
 * Redrives dead-letter records and redelivers messages of open marks, and resolves marks. It reads
 * why a message was dead-lettered, selects records, and decides by the mark what may be published.
 */
@NullMarked
package io.hapax.operations.redrive;

import org.jspecify.annotations.NullMarked;
