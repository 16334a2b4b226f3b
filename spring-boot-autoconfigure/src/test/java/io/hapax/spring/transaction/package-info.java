/** Marks and effects in one transaction of Spring, on real databases. */
@NullMarked
package io.hapax.spring.transaction;

import org.jspecify.annotations.NullMarked;
