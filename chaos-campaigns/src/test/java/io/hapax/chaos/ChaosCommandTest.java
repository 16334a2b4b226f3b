package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class ChaosCommandTest {

  private static final String[] FIELDS = {
    "orders", "duplicates", "replays", "broker", "store", "seed", "orderly", "naive", "spring"
  };

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();
  private final CommandLine line = ChaosCommand.commandLine()
      .setErr(new PrintWriter(errors, true))
      .setOut(new PrintWriter(output, true));

  static ChaosSettings settings(String options) {
    CommandLine line = ChaosCommand.commandLine();
    line.parseArgs(options.isEmpty() ? new String[0] : options.split(" ", -1));
    ChaosCommand command = line.getCommand();
    command.checkOptions();
    return command.settings;
  }

  @Test
  void no_option_at_all_gives_the_defaults() {
    ChaosSettings settings = settings("");

    assertThat(settings)
        .extracting(FIELDS)
        .containsExactly(1000, 0.2, 1, BrokerKind.KAFKA, CampaignStore.H2, 1L, false, false, false);
    assertThat(settings.poison()).isEqualTo(5);
    assertThat(settings.mode()).isEqualTo(Mode.TRANSACTIONAL);
    assertThat(settings.group()).isEqualTo(GroupPlan.ALONE);
    assertThat(settings.scenes()).isTrue();
    assertThat(faults(settings)).containsExactly(1, 0, 0, 0, 0, 0);
  }

  @ParameterizedTest
  @EnumSource
  void a_store_without_a_mode_runs_in_the_strongest_that_it_has(CampaignStore store) {
    assertThat(settings("--store " + store))
        .extracting(it -> it.store, ChaosSettings::mode)
        .containsExactly(store, store.modes().get(0));
  }

  @Test
  void every_option_is_read() {
    ChaosSettings settings = settings(
        "--orders=50 --duplicates=0.5 --poison=7 --replays=2 --mode=leased --store=postgres"
            + " --broker=rocketmq --orderly --spring --seed=9 --kills=3 --stops=2"
            + " --store-restarts=4 --broker-restarts=5 --no-scenes");

    assertThat(settings)
        .extracting(FIELDS)
        .containsExactly(
            50, 0.5, 2, BrokerKind.ROCKETMQ, CampaignStore.POSTGRES, 9L, true, false, true);
    assertThat(settings.poison()).isEqualTo(7);
    assertThat(settings.mode()).isEqualTo(Mode.LEASED);
    assertThat(settings.scenes()).isFalse();
    assertThat(faults(settings)).containsExactly(3, 2, 4, 5, 0, 0);
    ChaosSettings group = settings("--store=h2-server --members=3 --partitions=12"
        + " --protocol=consumer --kills=0 --resets=6 --scalings=7");
    assertThat(group.group()).isEqualTo(new GroupPlan(3, 12, GroupPlan.Protocol.CONSUMER));
    assertThat(faults(group)).containsExactly(0, 0, 0, 0, 6, 7);
    assertThat(settings("--naive").naive).isTrue();
    assertThat(settings("--naive").poison()).isZero();
  }

  private static List<Integer> faults(ChaosSettings settings) {
    return Arrays.stream(FaultKind.values()).map(settings::asked).toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_listener_of_spring_runs_on_either_broker_with_every_store(CampaignStore store) {
    String options = "--spring --store " + store;

    assertThat(settings(options))
        .extracting(it -> it.spring, it -> it.broker)
        .containsExactly(true, BrokerKind.KAFKA);
    assertThat(settings(options + " --broker rocketmq --orderly"))
        .extracting(it -> it.spring, it -> it.broker, it -> it.orderly)
        .containsExactly(true, BrokerKind.ROCKETMQ, true);
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', delimiter = '|', textBlock = """
          --orders 0            | --orders is 0 but must be between 1 and 10000000
          --orders x            | 'x' is not an int
          --duplicates 2        | --duplicates is 2.0 but must be between 0 and 1
          --duplicates NaN      | --duplicates is NaN but must be between 0 and 1
          --poison -1           | --poison is -1 but must be between 0 and 1000
          --poison 1 --naive    | --poison must not be given with --naive, which takes only --orders
          --kills -1            | --kills is -1 but must be between 0 and 1000
          --store-restarts 2    | --store-restarts is 2 but must be 0 with --store h2: it has no server
          --stops 1             | --stops is 1 but must be 0 with --store h2: its file belongs to one process
          --stops 1 --store postgres --naive | --stops must not be given with --naive, which takes only --orders
          --members 0           | --members is 0 but must be between 1 and 10
          --members 3           | --members is 3 but must be 1 with --store h2: its file belongs to one process
          --members 3 --store mariadb --mode leased | --members is 3 but must be 1 with --store mariadb --mode leased: its sessions
          --members 3 --store h2-server --mode leased | --members is 3 but must be 1 with --store h2-server --mode leased
          --members 2 --store redis --broker rocketmq | --members, --partitions and --protocol must not be given with --broker rocketmq
          --members 3 --store postgres --scalings 1 | --partitions is 3 but must be at least 4, one for each member
          --members 2 --store postgres --old x | --old must not be given with --members
          --partitions 0        | --partitions is 0 but must be between 1 and 100
          --partitions 4 --broker rocketmq | must not be given with --broker rocketmq: they are settings of Kafka
          --protocol share      | expected one of [CLASSIC, CONSUMER] (case-insensitive) but was 'share'
          --protocol consumer --broker rocketmq | must not be given with --broker rocketmq: they are settings of Kafka
          --resets 1            | --resets is 1 but must be 0 without --members: it needs a group
          --scalings 1          | --scalings is 1 but must be 0 without --members: it needs a group
          --stops 1 --store h2-server | --stops is 1 but must be 0 with --store h2-server and one member
          --store oracle        | REDIS, REDIS_CLUSTER, redis-cluster] (case-insensitive) but was 'oracle'
          --store redis --mode transactional | --mode is transactional but must be leased with --store redis: its marks cannot be
          --store redis-cluster --mode transactional | --mode is transactional but must be leased with --store redis-cluster
          --store redis --naive | --store is redis but must be h2, postgres or mariadb with --naive: it has no marks
          --orderly             | --orderly must not be given with --broker kafka: a partition is always read in order
          --colour red          | Unknown options: '--colour', 'red'
          stray                 | Unmatched argument at index 0: 'stray'
          --naive --mode leased | --mode must not be given with --naive, which takes only --orders
          --listen localhost:8090 | --listen must be given with --serve only
          --serve --kills 1     | --kills must not be given with --serve, which takes only --listen, --store, --mode, --broker
          --serve --naive       | --naive must not be given with --serve
          --serve --old x       | --old must not be given with --serve
          --serve --store h2    | --store is h2 but must be another one with --serve: its file belongs to one process
          --serve --store redis --mode transactional | --mode is transactional but must be leased with --store redis
          --serve --listen 8090 | --listen is 8090 but must be a loopback address
          --serve --listen :1   | --listen is :1 but must be HOST:PORT
          --serve --listen 127.0.0.1:99999 | --listen is 127.0.0.1:99999 but must be HOST:PORT
          --serve --listen 192.0.2.1:80 | --listen is 192.0.2.1:80 but must be a loopback address
          """)
  void a_bad_option_gets_one_clear_line_and_exit_code_2(String options, String complaint) {
    assertThat(line.execute(options.split(" ", -1))).isEqualTo(2);

    assertThat(errors.toString().strip())
        .startsWith("chaos: ")
        .contains(complaint)
        .hasLineCount(1);
    assertThat(output.toString()).isEmpty();
  }

  @Test
  void help_names_the_options_but_not_what_the_program_uses_itself() {
    assertThat(line.execute("--help")).isZero();

    assertThat(output.toString())
        .contains("--orders", "--kills", "--members", "--serve", "--no-scenes")
        .doesNotContain("consume ", "--old");
  }
}
