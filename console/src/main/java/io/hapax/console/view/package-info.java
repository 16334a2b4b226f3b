/**
 * The data of the pages: one record for the template of each view. The templates escape all values.
 */
@NullMarked
package io.hapax.console.view;

import org.jspecify.annotations.NullMarked;
