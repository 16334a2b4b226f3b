/** The command line: audits topics and replays groups, for any user's topic and store. */
@NullMarked
package io.hapax.cli;

import org.jspecify.annotations.NullMarked;
