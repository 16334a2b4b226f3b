/** The figures of a console within an application, from its Micrometer registry. */
@NullMarked
package io.hapax.console.meters;

import org.jspecify.annotations.NullMarked;
