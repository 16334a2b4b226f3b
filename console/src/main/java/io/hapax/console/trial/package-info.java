/**
 * The extension point of the view "Break it": a demo that shows the same orders with Hapax and with
 * a plain loop, and lets an operator disturb both.
 */
@NullMarked
package io.hapax.console.trial;

import org.jspecify.annotations.NullMarked;
