/** Scene 4: the events of an order arrive in any order. */
@NullMarked
package io.hapax.demo.lifecycle;

import org.jspecify.annotations.NullMarked;
