package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the options that are refused before the command connects. */
class OptionsTest {

  private static final String REDIS = "redis://127.0.0.1:1";
  private static final String[] AUDIT = {
    "audit", "--bootstrap", "127.0.0.1:1", "--topic", "orders", "--consumer", "orders"
  };

  private final Console console = new Console();

  @TempDir
  private Path folder;

  private int audit(String... more) {
    return console.execute(List.of(Console.with(AUDIT, more)));
  }

  /** Audits with the address of a store that does not run. */
  private int auditKeys(String... more) {
    return audit(Console.with(new String[] {"--id", "key", "--store", REDIS}, more));
  }

  @Test
  void without_a_command_it_says_what_there_is() {
    assertThat(console.run()).isEqualTo(2);
    assertThat(console.err()).contains("audit, replay, redrive, stale, generation and console");
    assertThat(console.run("--help")).isZero();
    assertThat(console.out()).contains("audit", "replay", "redrive", "Exit code");
    assertThat(console.run("--version")).isZero();
    assertThat(console.out()).contains("hapax ", "Java " + Runtime.version());
  }

  @Test
  void a_mistyped_command_is_answered_with_the_most_similar_one() {
    assertThat(console.run("audti --topic orders")).isEqualTo(2);
    assertThat(console.err()).contains("'audti'", "; did you mean audit?").hasLineCount(1);
  }

  @Test
  void a_missing_option_is_named_in_one_line() {
    assertThat(console.run("audit", "--topic", "orders")).isEqualTo(2);
    assertThat(console.err()).startsWith("hapax: Missing required options").hasLineCount(1);
  }

  @Test
  void what_goes_wrong_is_one_line_whatever_was_typed() {
    assertThat(audit("--id", "offset\nhapax: all is well", "--store", REDIS)).isEqualTo(2);
    assertThat(console.err())
        .startsWith("hapax: --id is offset hapax: all is well but must be")
        .hasLineCount(1);
  }

  @Test
  void a_redrive_needs_a_selection_of_dead_letters() {
    String redrive = "redrive --bootstrap 127.0.0.1:1 --topic orders --consumer orders --id key"
        + " --store " + REDIS;
    String nothing = redrive + " --to orders,returns";
    String two = nothing + " --message order-17 --message order-18";

    assertThat(console.run(redrive, "--all")).isEqualTo(2);
    assertThat(console.err()).contains("Missing required option: '--to=TOPIC'").hasLineCount(1);
    assertThat(console.run(nothing)).isEqualTo(2);
    assertThat(console.err()).contains("--message", "--all").hasLineCount(2);
    assertThat(console.run(two, "--all")).isEqualTo(2);
    assertThat(console.run(two)).as("there is no store").isEqualTo(3);

    for (String unheeded : List.of("--samples=1", "--fingerprint=none", "--missing-id=stop")) {
      assertThat(console.run(two, unheeded)).as(unheeded).isEqualTo(2);
      assertThat(console.err()).contains("Unknown option: '" + unheeded + "'");
    }
  }

  @Test
  void options_may_lie_in_a_file() throws Exception {
    Path file = Files.writeString(folder.resolve("billing.options"), """
        --bootstrap 127.0.0.1:1 --topic orders.dead --consumer billing --id key
        --store redis://127.0.0.1:1 --to orders
        """);

    assertThat(console.run("redrive", "@" + file, "--all"))
        .as("there is no store")
        .isEqualTo(3);
    assertThat(console.run("redrive", "@" + file)).isEqualTo(2);
    assertThat(console.err()).contains("a selection of records is missing");
  }

  @Test
  void credentials_in_the_address_are_refused_and_not_repeated() {
    for (String url : List.of(
        "redis://user:s3cret@localhost",
        "jdbc:postgresql://localhost/shop?user=me&password=s3cret",
        "jdbc:mysql://me:s3cret@localhost/shop",
        "jdbc:mysql:loadbalance://me:s3cret@localhost/shop",
        "jdbc:mysql+srv://me:s3cret@localhost/shop",
        "jdbc:mariadb:sequential://me:s3cret@localhost/shop?user=me@there")) {
      assertThat(audit("--id", "key", "--store", url)).isEqualTo(2);
    }
    assertThat(console.err()).contains("--store-password-env").doesNotContain("s3cret");
    assertThat(console.out()).isEmpty();
  }

  @Test
  void a_password_must_be_where_it_is_said_to_be() {

    assertThat(auditKeys("--store-password-env", "NO_SUCH_VARIABLE")).isEqualTo(2);
    assertThat(console.err()).contains("NO_SUCH_VARIABLE");
    assertThat(auditKeys("--store-password-file", "/no/such/file")).isEqualTo(2);
  }

  @Test
  void a_place_an_id_and_a_store_must_be_of_a_known_kind() {

    assertThat(audit("--id", "offset", "--store", REDIS)).isEqualTo(2);
    assertThat(console.err()).contains("--id is offset but must be");
    for (String url : List.of("mongodb://localhost", "jdbc:mysql://localhost/shop", "redis:")) {
      assertThat(audit("--id", "key", "--store", url)).as(url).isEqualTo(2);
      assertThat(console.err())
          .contains("--store is " + url + " but must begin with one of redis://, rediss://,")
          .contains("redis-sentinel://", "redis-cluster://", "jdbc:mariadb:", "jdbc:h2:");
    }
    assertThat(auditKeys("--broker", "rabbit")).isEqualTo(2);
  }

  @Test
  void a_time_that_no_broker_accepts_is_refused_by_its_name() {

    for (String patience : List.of("PT0S", "-PT1S", "PT0.0001S", "P30D", "P106751991167300D")) {
      assertThat(auditKeys("--patience", patience)).as(patience).isEqualTo(2);
    }
    assertThat(console.err()).contains("--patience is PT720H but must be").hasLineCount(5);
    assertThat(console.run("console", "--consumer", "c", "--store", REDIS, "--patience", "0s"))
        .isEqualTo(2);
    assertThat(console.err())
        .contains("--patience is PT0S but must be from PT0.001S to PT480H, such as 5s");
    assertThat(auditKeys("--patience", "5 seconds")).isEqualTo(2);
    assertThat(console.err())
        .contains("'--patience': '5 seconds' is not a duration such as 5s, 10m, 8d or PT5S");
    assertThat(auditKeys("--patience", "5s")).as("there is no store").isEqualTo(3);
    String farAway = "+1000000000-12-31T23:59:59Z";
    assertThat(auditKeys("--from", farAway)).isEqualTo(2);
    assertThat(console.err()).contains("--from is " + farAway + " but must be");
  }

  @Test
  void a_rocketmq_user_needs_a_password_and_the_other_way_round() throws Exception {
    for (String half :
        List.of("accessKey=s3cret", "secretKey=s3cret", "accessKey=\nsecretKey=s3cret")) {
      Path settings = Files.writeString(folder.resolve("client.properties"), half);

      assertThat(auditKeys("--broker", "rocketmq", "--broker-config", settings.toString()))
          .as(half)
          .isEqualTo(2);
    }
    assertThat(console.err()).contains("accessKey", "secretKey").doesNotContain("s3cret");
  }

  @Test
  void a_file_that_cannot_be_written_is_refused_before_the_work() {
    Path nowhere = folder.resolve("missing").resolve("report.json");

    assertThat(auditKeys("--json", nowhere.toString())).isEqualTo(2);
    assertThat(Files.exists(nowhere)).isFalse();
    assertThat(console.err()).contains("--json");
  }

  @Test
  void a_store_that_does_not_answer_is_no_verdict_and_its_error_is_printed_once() {
    assertThat(audit("--id", "key", "--store", "jdbc:postgresql://127.0.0.1:1/shop"))
        .isEqualTo(3);
    assertThat(console.err()).startsWith("hapax: ").hasLineCount(1);
    assertThat(console.err()).containsOnlyOnce("Connection to 127.0.0.1:1 refused");
    assertThat(console.out()).isEmpty();
  }
}
