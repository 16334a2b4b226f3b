package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool whose connections read what is not committed. */
@ParameterizedClass
@EnumSource(names = {"H2_READ_UNCOMMITTED", "MARIADB_READ_UNCOMMITTED"})
class DirtyReadTest extends StoreTests {

  private long doneMarksThatThePoolShows() throws SQLException {
    return number("SELECT COUNT(*) FROM " + fixture.table() + " WHERE state = 3");
  }

  @Test
  void a_look_up_does_not_find_a_mark_before_its_commit() throws SQLException {
    List<ClaimRequest> requests = List.of(request("m"));
    List<Long> shown = new ArrayList<>();
    List<Optional<ClaimAnswer.Done>> found = new ArrayList<>();

    store().<SQLException>runOnce(requests, (connection, answers) -> {
      shown.add(doneMarksThatThePoolShows());
      found.addAll(fixture.other().findDone(List.of(request("m"))));
    });

    assertThat(shown).as("DONE marks in a dirty read").containsExactly(1L);
    assertThat(found).containsExactly(Optional.empty());
    assertThat(fixture.other().findDone(List.of(request("m"))).get(0)).isPresent();
  }
}
