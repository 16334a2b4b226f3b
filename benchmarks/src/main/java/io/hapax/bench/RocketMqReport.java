package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a listener benchmark as text and as JSON.
 *
 * @param date the start of the run
 * @param setup the settings
 * @param machine the machine
 * @param load the machine's load average at the end
 * @param rates messages a second
 */
record RocketMqReport(
    Instant date,
    RocketMqSetup setup,
    Map<String, String> machine,
    double load,
    Map<RocketMqSituation, Map<RocketMqSubject, Spread>> rates) {

  private static final double OF_BARE_IN_MEMORY = 0.8;
  private static final double OF_BARE_IN_BATCHES = 0.6;
  private static final double TIMES_ONE_BY_ONE = 5;

  private double rate(RocketMqSituation situation, RocketMqSubject subject) {
    return Optional.ofNullable(rates.get(situation))
        .flatMap(here -> Optional.ofNullable(here.get(subject)))
        .orElseThrow()
        .median();
  }

  double ofBare(RocketMqSituation situation, RocketMqSubject subject) {
    return rate(situation, subject) / rate(situation, RocketMqSubject.BARE);
  }

  double timesOneByOne(RocketMqSituation situation, RocketMqSubject subject) {
    return rate(situation, subject) / rate(situation, RocketMqSubject.ONE_BY_ONE);
  }

  /** Returns whether the target was reached; empty without a target. */
  Optional<Boolean> reached(RocketMqSituation situation, RocketMqSubject subject) {
    return switch (subject) {
      case BARE, ONE_BY_ONE -> Optional.empty();
      case MEMORY -> Optional.of(ofBare(situation, subject) >= OF_BARE_IN_MEMORY);
      case REDIS, POSTGRES ->
        situation.batch() == 1
            ? Optional.empty()
            : Optional.of(ofBare(situation, subject) >= OF_BARE_IN_BATCHES
                || timesOneByOne(situation, subject) >= TIMES_ONE_BY_ONE);
    };
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%nHapax, RocketMQ listeners: messages a second, median of %d rounds of at most %.1f s; %s%n",
        setup.rounds(), setup.seconds(), date));
    text.append(format(
        "  %,d messages in %d queues; machine: %s, load %.1f%n",
        setup.messages(), setup.queues(), Machine.text(machine), load));
    rates.forEach((situation, here) -> {
      text.append(format("%n%s%n", situation.title()));
      text.append(
          format("  %-32s %11s %6s %9s %13s%n", "", "messages/s", "+-", "of bare", "x one by one"));
      here.forEach((subject, spread) -> text.append(line(situation, subject, spread)));
    });
    text.append(format(
        "%nAims: in memory %.0f %% of the bare listener; Redis and PostgreSQL with batches %.0f %% of"
            + " it or %.0f x one by one.%n",
        100 * OF_BARE_IN_MEMORY, 100 * OF_BARE_IN_BATCHES, TIMES_ONE_BY_ONE));
    return text.toString();
  }

  private String line(RocketMqSituation situation, RocketMqSubject subject, Spread spread) {
    String aim =
        reached(situation, subject).map(it -> it ? "  reached" : "  MISSED").orElse("");
    return format(
        "  %-32s %,11.0f %4.0f %% %7.0f %% %13.2f%s%n",
        subject.title(),
        spread.median(),
        spread.percent(),
        100 * ofBare(situation, subject),
        timesOneByOne(situation, subject),
        aim);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "rocketmq");
    json.put("date", date.toString());
    json.put("machine", machine);
    json.put("load", load);
    json.put("messages", setup.messages());
    json.put("queues", setup.queues());
    json.put("seconds", setup.seconds());
    json.put("rounds", setup.rounds());
    rates.forEach((situation, here) -> {
      Map<String, Object> subjects = new LinkedHashMap<>();
      here.forEach((subject, spread) -> subjects.put(
          subject.name().toLowerCase(Locale.ROOT), figures(situation, subject, spread)));
      json.put(situation.title(), subjects);
    });
    return json;
  }

  private Map<String, Object> figures(
      RocketMqSituation situation, RocketMqSubject subject, Spread spread) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("messagesPerSecond", rounded(spread.median(), 0));
    figures.put("low", rounded(spread.low(), 0));
    figures.put("high", rounded(spread.high(), 0));
    figures.put("ofBare", rounded(ofBare(situation, subject), 3));
    figures.put("timesOneByOne", rounded(timesOneByOne(situation, subject), 3));
    reached(situation, subject).ifPresent(it -> figures.put("reached", it));
    return figures;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
