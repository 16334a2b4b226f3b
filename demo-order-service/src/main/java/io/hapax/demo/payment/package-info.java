/** Scene 3: the customer is charged once. */
@NullMarked
package io.hapax.demo.payment;

import org.jspecify.annotations.NullMarked;
