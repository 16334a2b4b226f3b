package io.hapax.demo;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Set;

/**
 * Recognises the broken connections of H2's driver, which HikariCP would keep. HikariCP creates it
 * by its name.
 */
public final class H2Disconnections implements SQLExceptionOverride {

  /** A broken connection, and a database that is closed or was closed with its server. */
  private static final Set<Integer> BROKEN = Set.of(90067, 90098, 90121);

  @java.lang.Override
  public Override adjudicate(SQLException exception) {
    return BROKEN.contains(exception.getErrorCode())
        ? Override.MUST_EVICT
        : Override.CONTINUE_EVICT;
  }
}
