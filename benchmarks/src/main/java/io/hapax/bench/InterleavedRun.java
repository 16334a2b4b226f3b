package io.hapax.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Measures contenders side by side. Each is warmed up until its rounds have their length. Then all
 * run one round after the other in turn, so that other load on the machine affects all of them
 * alike.
 *
 * <p>JMH does not fit: it forks a process for each benchmark and measures one after the other. Here
 * a server keeps its marks, and ratios need rounds that are close together.
 */
final class InterleavedRun {

  private final Pace pace;
  private final int threads;
  private final OptionalLong serverPid;

  InterleavedRun(Pace pace, int threads, OptionalLong serverPid) {
    this.pace = pace;
    this.threads = threads;
    this.serverPid = serverPid;
  }

  Map<Contender, Measurement> run(List<Contender> contenders) throws Exception {
    List<ContenderRun> runs = new ArrayList<>();
    try (WorkerPool workers = new WorkerPool(threads)) {
      for (Contender contender : contenders) {
        runs.add(new ContenderRun(contender, workers, serverPid));
      }
      for (ContenderRun run : runs) {
        run.warmUp(pace);
      }
      for (int round = 0; round < pace.rounds(); round++) {
        for (ContenderRun run : runs) {
          run.round();
        }
      }
      Map<Contender, Measurement> measured = new LinkedHashMap<>();
      runs.forEach(run -> measured.put(run.contender(), run.measured()));
      return measured;
    } finally {
      runs.forEach(ContenderRun::close);
    }
  }
}
