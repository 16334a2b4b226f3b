package io.hapax.spring.transaction.ledger;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import java.util.UUID;

/** One effect of a message. Nothing in the database keeps a message from having two. */
@Entity
@Table(name = "ledger")
public class Entry {

  @Id
  private String id = "";

  private String message = "";

  /** Called when a flush has inserted an entry. */
  public static volatile Runnable afterInsert = () -> {};

  protected Entry() {}

  /** An effect of a message. */
  public Entry(String message) {
    this.id = UUID.randomUUID().toString();
    this.message = message;
  }

  @PostPersist
  void inserted() {
    afterInsert.run();
  }

  /** Returns the message's id. */
  public String message() {
    return message;
  }
}
