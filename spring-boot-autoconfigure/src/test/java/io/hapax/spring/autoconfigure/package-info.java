/** The beans that an application gets. */
@NullMarked
package io.hapax.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
