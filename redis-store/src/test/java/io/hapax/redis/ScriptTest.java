package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares constants of scripts with Java, and kills a script of the store. Redis refuses to kill a
 * script that has written. So no write is half done as long as a script decides first and writes
 * last.
 */
@Timeout(60)
class ScriptTest {

  private static final Pattern LOCALS =
      Pattern.compile("^local ([A-Z_]+(?:, [A-Z_]+)*) = ('.'(?:, '.')*)", Pattern.MULTILINE);

  private static final String LOOP = "while true do end\n";

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private LocalRedis redis;
  private RedisDedupStore store;

  @BeforeEach
  void start() {
    redis = LocalRedis.builder().setting("lua-time-limit", "100").start();
    store = RedisDedupStore.builder(Servers.uri(redis)).build();
  }

  @AfterEach
  void close() {
    thread.shutdownNow();
    store.close();
    redis.close();
  }

  /** Creates scripts that hang before a line. */
  private EditedScripts hangingAt(String line) {
    return new EditedScripts(redis, text -> {
      assertThat(text).containsOnlyOnce("\n" + line);
      return text.replace("\n" + line, "\n" + LOOP + line);
    });
  }

  private static ScriptVerbs verbs(EditedScripts scripts) {
    return new ScriptVerbs(scripts.executor("hapax", false, Duration.ofDays(8), fields -> {}));
  }

  /** Calls a verb whose script hangs, and kills the script; returns the caller's exception. */
  private AbstractThrowableAssert<?, ?> assertThatKilled(Callable<?> verb) throws Exception {
    Future<?> calling = thread.submit(verb);
    await().atMost(Duration.ofSeconds(30)).until(() -> Servers.isBusy(redis));
    redis.command("SCRIPT", "KILL");
    return assertThatThrownBy(() -> calling.get(30, TimeUnit.SECONDS)).cause();
  }

  @Test
  void a_killed_claim_has_written_nothing_and_is_fresh_when_repeated() throws Exception {
    List<ClaimRequest> requests = Marks.requests("m", 50);
    String keys = redis.command("DBSIZE");

    try (EditedScripts hanging = hangingAt("flush()\n")) {
      assertThatKilled(() -> verbs(hanging).claim(requests, Marks.LEASE))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("Redis failed to claim: ")
          .hasMessageContaining("killed by user");
    }

    assertThat(redis.command("DBSIZE")).isEqualTo(keys);
    assertThat(store.find(requests.stream().map(ClaimRequest::key).toList()))
        .containsOnly(Optional.empty());
    assertThat(store.claim(requests, Marks.LEASE))
        .hasOnlyElementsOfType(Acquired.class)
        .allMatch(answer -> ((Acquired) answer).kind() == ClaimAnswer.Kind.FRESH);
  }

  @Test
  void a_killed_settlement_leaves_its_mark_and_counts_when_repeated() throws Exception {
    Claim claim = Marks.claim(store, "m");
    List<Settlement> settlement = List.of(Marks.done(claim));

    try (EditedScripts hanging = hangingAt("read_processing()\n")) {
      assertThatKilled(() -> verbs(hanging).settle(settlement))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("Redis failed to settle: ")
          .hasMessageContaining("killed by user");
    }

    assertThat(store.find(List.of(claim.key())).get(0))
        .hasValueSatisfying(mark -> assertThat(mark.state()).isEqualTo(MarkState.PROCESSING));
    assertThat(store.settle(settlement)).containsExactly(new SettleAnswer.Settled(false));
  }

  private static Map<String, Byte> inScript(Script script) {
    String text = ScriptText.of(script, Script.Marks.STRINGS).content();
    Map<String, Byte> constants = new HashMap<>();
    for (MatchResult locals : LOCALS.matcher(text).results().toList()) {
      String[] names = locals.group(1).split(", ", -1);
      String[] values = locals.group(2).split(", ", -1);
      for (int i = 0; i < names.length; i++) {
        constants.put(names[i], (byte) values[i].charAt(1));
      }
    }
    return constants;
  }

  private static Map<String, Byte> inJava(Class<?> constants) throws IllegalAccessException {
    Map<String, Byte> values = new HashMap<>();
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() == byte.class) {
        values.put(field.getName(), field.getByte(null));
      }
    }
    return values;
  }

  @Test
  void every_script_uses_the_state_codes_of_java() {
    assertThat(Arrays.stream(Script.values()).filter(script -> script != Script.PURGE))
        .allSatisfy(
            script -> assertThat(inScript(script)).containsAllEntriesOf(inJava(StateCode.class)));
  }

  @Test
  void a_claim_is_answered_with_the_codes_of_java() throws IllegalAccessException {
    assertThat(inScript(Script.CLAIM)).containsAllEntriesOf(inJava(AnswerCode.class));
  }
}
