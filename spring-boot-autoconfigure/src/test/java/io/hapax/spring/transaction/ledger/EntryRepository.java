package io.hapax.spring.transaction.ledger;

import org.springframework.data.jpa.repository.JpaRepository;

/** Writes the ledger with JPA. */
public interface EntryRepository extends JpaRepository<Entry, Long> {}
