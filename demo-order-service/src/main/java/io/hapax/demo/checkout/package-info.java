/** Scene 1: an order is submitted twice. */
@NullMarked
package io.hapax.demo.checkout;

import org.jspecify.annotations.NullMarked;
