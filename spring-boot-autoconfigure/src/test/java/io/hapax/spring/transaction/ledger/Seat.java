package io.hapax.spring.transaction.ledger;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import org.springframework.data.domain.Persistable;

/** A seat that can be taken once: its insert is sent at the flush. */
@Entity
@Table(name = "seat")
public class Seat implements Persistable<String> {

  @Id
  private String name = "";

  @Transient
  private boolean stored;

  protected Seat() {}

  /** A seat to take. */
  public Seat(String name) {
    this.name = name;
  }

  @Override
  public String getId() {
    return name;
  }

  @Override
  public boolean isNew() {
    return !stored;
  }

  @PostLoad
  @PostPersist
  void markStored() {
    stored = true;
  }
}
