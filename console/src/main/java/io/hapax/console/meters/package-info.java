/** Figures of a console within an application, from its meters, and figures as meters. */
@NullMarked
package io.hapax.console.meters;

import org.jspecify.annotations.NullMarked;
