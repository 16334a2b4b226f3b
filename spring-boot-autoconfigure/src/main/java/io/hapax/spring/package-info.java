/** The annotation for listeners of Spring. */
@NullMarked
package io.hapax.spring;

import org.jspecify.annotations.NullMarked;
