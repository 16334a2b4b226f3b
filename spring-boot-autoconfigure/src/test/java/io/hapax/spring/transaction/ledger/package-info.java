/** An application that writes a ledger through four libraries. */
@NullMarked
package io.hapax.spring.transaction.ledger;

import org.jspecify.annotations.NullMarked;
