package io.hapax.spring.transaction.ledger;

import org.springframework.data.jpa.repository.JpaRepository;

/** Takes seats with JPA. */
public interface SeatRepository extends JpaRepository<Seat, String> {}
