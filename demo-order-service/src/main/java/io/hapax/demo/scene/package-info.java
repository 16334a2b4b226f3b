/** The scenes: situations in which an effect is repeated, on a real broker, database and store. */
@NullMarked
package io.hapax.demo.scene;

import org.jspecify.annotations.NullMarked;
