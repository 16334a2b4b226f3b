/** Replays: moving a stopped group to another place of a topic. */
@NullMarked
package io.hapax.operations.replay;

import org.jspecify.annotations.NullMarked;
