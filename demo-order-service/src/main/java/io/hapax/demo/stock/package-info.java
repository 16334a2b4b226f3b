/** Scene 2: stock is deducted once. */
@NullMarked
package io.hapax.demo.stock;

import org.jspecify.annotations.NullMarked;
