/** Turns the data of a view into a page: templates and texts. */
@NullMarked
package io.hapax.console.page;

import org.jspecify.annotations.NullMarked;
