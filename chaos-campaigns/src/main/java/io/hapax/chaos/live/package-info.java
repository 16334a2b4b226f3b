/**
 * The live demo: consumers with Hapax and a naive consumer on the same topic, which the buttons of
 * the console disturb.
 */
@NullMarked
package io.hapax.chaos.live;

import org.jspecify.annotations.NullMarked;
