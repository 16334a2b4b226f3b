/**
 * The command line: audits topics, replays groups, redrives dead-letter records and handles stale
 * marks, for any topic and store.
 */
@NullMarked
package io.hapax.cli;

import org.jspecify.annotations.NullMarked;
