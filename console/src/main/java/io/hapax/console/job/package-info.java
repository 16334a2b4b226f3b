/** Background jobs, which take longer than a request: audits, replays and redrives. */
@NullMarked
package io.hapax.console.job;

import org.jspecify.annotations.NullMarked;
