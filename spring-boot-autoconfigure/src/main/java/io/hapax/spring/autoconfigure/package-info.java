/** The beans that Spring Boot adds to an application with Hapax on its class path. */
@NullMarked
package io.hapax.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
