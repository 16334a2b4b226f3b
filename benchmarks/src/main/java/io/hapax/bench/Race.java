package io.hapax.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Measures contenders side by side. Each is warmed up until its rounds have their length; then all
 * run one round after the other, again and again, so that whatever else happens on the machine
 * meets all of them alike.
 *
 * <p>JMH was not taken: it forks a process for each benchmark and measures one after the other,
 * while here a server with its marks must stay, and ratios are wanted from moments close together.
 */
final class Race {

  private final Pace pace;
  private final int threads;
  private final OptionalLong serverPid;

  Race(Pace pace, int threads, OptionalLong serverPid) {
    this.pace = pace;
    this.threads = threads;
    this.serverPid = serverPid;
  }

  Map<Contender, Measured> run(List<Contender> contenders) throws Exception {
    List<Heat> heats = new ArrayList<>();
    try (Crew crew = new Crew(threads)) {
      for (Contender contender : contenders) {
        heats.add(new Heat(contender, crew, serverPid));
      }
      for (Heat heat : heats) {
        heat.warmUp(pace);
      }
      for (int round = 0; round < pace.rounds(); round++) {
        for (Heat heat : heats) {
          heat.round();
        }
      }
      Map<Contender, Measured> measured = new LinkedHashMap<>();
      heats.forEach(heat -> measured.put(heat.contender(), heat.measured()));
      return measured;
    } finally {
      heats.forEach(Heat::close);
    }
  }
}
