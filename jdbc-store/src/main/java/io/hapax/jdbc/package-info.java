/** A dedup store in a database table. */
@NullMarked
package io.hapax.jdbc;

import org.jspecify.annotations.NullMarked;
