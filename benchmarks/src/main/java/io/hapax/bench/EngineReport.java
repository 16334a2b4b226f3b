package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of an engine benchmark as text and as JSON.
 *
 * @param date the start of the run
 * @param setup the settings
 * @param machine the machine
 * @param load the machine's load average at the end
 * @param costs the cost of a message
 */
record EngineReport(
    Instant date,
    EngineSetup setup,
    Map<String, String> machine,
    double load,
    Map<EngineSubject, EngineCost> costs) {

  private static final double MOST_NANOS = 2000;
  private static final double MOST_BYTES = 500;
  private static final List<EngineSubject> ENGINES =
      List.of(EngineSubject.SINGLE, EngineSubject.BATCH);

  /** Returns the cost of the engine without the store. */
  EngineCost engine(EngineSubject subject) {
    return cost(subject).minus(cost(EngineSubject.STORE));
  }

  private EngineCost cost(EngineSubject subject) {
    return Optional.ofNullable(costs.get(subject)).orElseThrow();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%nHapax, engine: a message of %d at once in %d lanes, median of %d rounds; %s%n",
        setup.batch(), setup.lanes(), setup.rounds(), date));
    text.append(format("  machine: %s, load %.1f%n%n", Machine.text(machine), load));
    text.append(format("%-44s %10s %10s %10s%n", "", "ns passed", "ns of CPU", "bytes"));
    costs.forEach((subject, cost) -> text.append(line(subject.title(), cost)));
    for (EngineSubject subject : ENGINES) {
      EngineCost engine = engine(subject);
      text.append(line("the engine: " + subject.title().replace("engine and store, ", ""), engine));
      text.append(format(
          "  %s: %.0f ns of CPU, aim at most %.0f; %.0f bytes, aim at most %.0f%n",
          reached(engine) ? "reached" : "MISSED",
          engine.cpuNanos(),
          MOST_NANOS,
          engine.bytes(),
          MOST_BYTES));
    }
    return text.toString();
  }

  private static boolean reached(EngineCost engine) {
    return engine.cpuNanos() <= MOST_NANOS && engine.bytes() <= MOST_BYTES;
  }

  private static String line(String title, EngineCost cost) {
    return format(
        "%-44s %10.0f %10.0f %10.0f%n", title, cost.wallNanos(), cost.cpuNanos(), cost.bytes());
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "engine");
    json.put("date", date.toString());
    json.put("machine", machine);
    json.put("load", load);
    json.put("batch", setup.batch());
    json.put("lanes", setup.lanes());
    json.put("messagesOfARound", setup.submitted());
    json.put("rounds", setup.rounds());
    costs.forEach((subject, cost) -> json.put(name(subject), json(cost)));
    for (EngineSubject subject : ENGINES) {
      Map<String, Object> engine = json(engine(subject));
      engine.put("reached", reached(engine(subject)));
      json.put("engineOf" + subject.name().charAt(0) + name(subject).substring(1), engine);
    }
    return json;
  }

  private static String name(EngineSubject subject) {
    return subject.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> json(EngineCost cost) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("wallNanos", rounded(cost.wallNanos(), 1));
    json.put("cpuNanos", rounded(cost.cpuNanos(), 1));
    json.put("bytes", rounded(cost.bytes(), 1));
    return json;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
