/** Techniques of the field on their own, each in a situation in which it fails. */
@NullMarked
package io.hapax.demo.techniques;

import org.jspecify.annotations.NullMarked;
