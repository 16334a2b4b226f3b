package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a killed process leaves of an H2 file: a copy that is taken right after a commit. Free space
 * may be used again at once, which H2 does after 45 seconds by default.
 */
class H2KilledFileTest {

  private static final String SETTINGS = ";WRITE_DELAY=0;REUSE_SPACE=FALSE;RETENTION_TIME=0";
  private static final int COMMITS = 40;

  /** Chunks of the file get different sizes, and free space comes in pieces. */
  private static final int MOST_AT_ONCE = 150;

  @TempDir
  private Path folder;

  @Test
  void each_commit_that_has_returned_is_in_it() throws IOException {
    try (HikariDataSource pool = open("running");
        DedupStore store = JdbcDedupStore.builder(pool).createIfAbsent().build()) {
      for (int commit = 0; commit < COMMITS; commit++) {
        List<MessageKey> keys = keys(commit);
        handle(store, keys);

        assertThat(leftByAKill(keys))
            .as("marks after commit %s", commit)
            .containsOnly(MarkState.DONE);
      }
    }
  }

  private HikariDataSource open(String name) {
    return Databases.h2("jdbc:h2:file:" + folder.resolve(name) + SETTINGS);
  }

  private static List<MessageKey> keys(int commit) {
    int count = 1 + commit * 37 % MOST_AT_ONCE;
    return IntStream.range(0, count)
        .mapToObj(i -> MessageKey.of("killed", commit + "-" + i))
        .toList();
  }

  private static void handle(DedupStore store, List<MessageKey> keys) {
    ClaimTerms terms = new ClaimTerms(false, false, ClaimTerms.ANY_TIME);
    List<ClaimRequest> requests = keys.stream()
        .map(key -> new ClaimRequest(key, new Nonce(1, 1), Fingerprint.NONE, Origin.NONE, terms))
        .toList();
    store.settle(store.claim(requests, Duration.ofMinutes(1)).stream()
        .map(answer -> new Settlement(((Acquired) answer).claim(), Verdict.Done.WITHOUT_RESULT))
        .toList());
  }

  private List<MarkState> leftByAKill(List<MessageKey> keys) throws IOException {
    Files.copy(
        folder.resolve("running.mv.db"),
        folder.resolve("left.mv.db"),
        StandardCopyOption.REPLACE_EXISTING);
    try (HikariDataSource pool = open("left");
        DedupStore store = JdbcDedupStore.builder(pool).build()) {
      return store.find(keys).stream()
          .map(mark -> mark.map(Mark::state).orElse(MarkState.ABSENT))
          .toList();
    }
  }
}
