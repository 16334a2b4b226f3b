/** Tests of the JDBC store, on real databases. */
@NullMarked
package io.hapax.jdbc;

import org.jspecify.annotations.NullMarked;
