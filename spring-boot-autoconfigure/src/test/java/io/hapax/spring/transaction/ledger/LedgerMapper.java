package io.hapax.spring.transaction.ledger;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;

/** Writes with MyBatis. */
@Mapper
public interface LedgerMapper {

  /** Writes the ledger. */
  @Insert("insert into ledger (id, message) values (#{id}, #{message})")
  void write(String id, String message);

  /** Takes a seat. */
  @Insert("insert into seat (name) values (#{name})")
  void takeSeat(String name);
}
