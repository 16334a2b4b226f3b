package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.chaos.Consumers.RecoveredOrder;
import io.hapax.chaos.FaultLog.Standstill;
import io.hapax.demo.scene.SceneResult;
import io.hapax.operations.audit.AuditReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final CampaignVerdict PASSED = new CampaignVerdict(3, 0, 3, 0, List.of());
  private static final String OPTIONS =
      "--orders 3 --poison 3 --stops 1 --broker-restarts 1 --replays 2 --seed 7 --no-scenes --store ";

  @Test
  void the_table_shows_whether_the_guarantee_holds() {
    assertThat(report(new CampaignVerdict(3, 0, 3, 0, List.of())).table())
        .contains("broker:  kafka, patient", "PASSED: every order took effect exactly once")
        .containsPattern("poison +3\n +poison dead-lettered +2\n +dead letters +5\n")
        .containsPattern(
            "ack checks +4\n +acks checked +17\n +sent back and waiting +6\n +premature acks +1\n")
        .containsPattern(
            "broker restarts +1\n +resets to offset 0 +1\n +members that came and left +1\n")
        .containsPattern("effects in doubt at kills +1\n +kills compared too late +1\n")
        .containsPattern("slowest recovery +4.[23] s")
        .containsPattern("longest standstill +6.5 s")
        .containsPattern("orders with 1 effect +3")
        .containsPattern(
            "audit: messages +7\n +audit: orders done +2\n +audit: dead +2\n +audit: without an id +1\n"
                + " +audit: would run again +1");
    assertThat(report(new CampaignVerdict(3, 0, 3, 0, List.of())).table())
        .containsPattern(
            "scenes: .*\n  a lamp +1 of 1\n  a parcel +3 of 2  FAILED\nPASSED: every order");
    assertThat(report(new CampaignVerdict(4, 0, 2, 1, List.of())).table())
        .contains("a counted takeover explains each repeat");
    assertThat(report(new CampaignVerdict(2, 1, 2, 0, List.of("c was lost"))).table())
        .contains("FAILED: 1 violation", "c was lost");
  }

  @Test
  void a_stop_is_shown_with_a_takeover_only_where_the_database_ends_its_transaction() {
    ChaosSettings postgres =
        ChaosCommandTest.settings(OPTIONS + "postgres --members 3 --partitions 12");
    ChaosSettings h2 = ChaosCommandTest.settings(OPTIONS + "h2-server --members 3 --partitions 12");

    assertThat(report(postgres, 5, PASSED).table())
        .containsPattern("stops with a takeover +5\n +orders in flight then +10\n")
        .doesNotContain("beyond the lease");
    assertThat(report(PASSED).table()).containsPattern("stops with a takeover +1\n");
    assertThat(report(h2, 5, PASSED).table())
        .containsPattern("stops beyond the lease +5\n +orders in flight then +10\n")
        .doesNotContain("with a takeover");
    assertThat(report(h2, 0, PASSED).table()).doesNotContain("stops", "orders in flight then");
  }

  private static Report report(CampaignVerdict verdict) {
    return report(ChaosCommandTest.settings(OPTIONS + "postgres --mode leased"), 1, verdict);
  }

  private static Report report(ChaosSettings settings, int stops, CampaignVerdict verdict) {
    return new Report(
        settings,
        "patient",
        "durable",
        7,
        3,
        new Report.Poisoned(3, 2, 5),
        new Report.Acknowledged(4, 17, 6, 1),
        12,
        8,
        1,
        faults(stops),
        Optional.of(new RecoveredOrder("a", kill(false), 2, Duration.ofMillis(4_250))),
        new AuditReport(
            "order-service",
            7,
            1,
            0,
            1,
            new AuditReport.Ids(5, 2, 0, 0, 0, 2, 1, 0, 0),
            List.of(),
            List.of(),
            List.of(),
            AuditReport.OtherHeaders.NONE),
        new TreeMap<>(Map.of(
            "a lamp", new SceneResult(1, 1, List.of()),
            "a parcel", new SceneResult(2, 3, List.of("p took effect 2 times")))),
        verdict,
        1.5,
        0.5);
  }

  /** Returns a kill with two orders in flight, and one of them in doubt. */
  private static Disruption kill(boolean late) {
    return Disruption.kill(1, Set.of("a", "b"), Set.of("a"), late);
  }

  private static FaultLog faults(int stops) {
    FaultLog log = new FaultLog();
    log.disrupted(kill(true), 0);
    log.hit(FaultKind.KILL);
    for (int i = 0; i < stops; i++) {
      log.disrupted(Disruption.stop(1, Set.of("a", "b"), Set.of()), 0);
    }
    log.hit(FaultKind.BROKER_RESTART);
    log.hit(FaultKind.RESET);
    log.hit(FaultKind.SCALING);
    log.stoodStill(new Standstill("broker restart", Duration.ofMillis(6_500)));
    return log;
  }
}
