package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Every figure of a run of the stores under its name. */
final class StoresJson {

  private StoresJson() {}

  static Map<String, Object> of(Findings findings) {
    StoresSettings settings = findings.settings();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "stores");
    json.put("date", findings.date().toString());
    json.put("machine", findings.machine());
    json.put("loadBefore", findings.loadBefore());
    json.put("loadAfter", findings.loadAfter());
    json.put("rounds", settings.pace().rounds());
    json.put("roundMillis", settings.pace().millis());
    json.put("servers", servers(findings));
    json.put("results", findings.rows().stream().map(StoresJson::row).toList());
    json.put("leftOut", findings.leftOut());
    json.put("aims", Aim.of(findings.rows()).stream().map(StoresJson::aim).toList());
    return json;
  }

  private static Map<String, Object> servers(Findings findings) {
    Map<String, Object> json = new LinkedHashMap<>();
    findings.servers().forEach((store, settings) -> json.put(store.toString(), settings));
    return json;
  }

  private static Map<String, Object> row(Row row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("store", row.store().toString());
    json.put("operation", row.operation().name());
    json.put("marks", row.marks());
    json.put("threads", row.threads());
    json.put("batch", row.batch());
    json.put("hapax", measured(row.hapax()));
    row.floor().ifPresent(floor -> json.put("floor", measured(floor)));
    row.limit().ifPresent(limit -> json.put("limit", measured(limit)));
    ratio(json, "timesFloor", row.timesFloor());
    ratio(json, "ofLimit", row.ofLimit());
    return json;
  }

  private static void ratio(Map<String, Object> json, String name, Optional<Double> ratio) {
    ratio.ifPresent(it -> json.put(name, rounded(it, 3)));
  }

  private static Map<String, Object> measured(Measured measured) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("messagesPerSecond", rounded(measured.rate().median(), 3));
    json.put("low", rounded(measured.rate().low(), 3));
    json.put("high", rounded(measured.rate().high(), 3));
    if (measured.clientMicros() > 0) {
      json.put("clientMicrosPerMessage", rounded(measured.clientMicros(), 3));
      json.put("serverMicrosPerMessage", rounded(measured.serverMicros(), 3));
    }
    return json;
  }

  private static Map<String, Object> aim(Aim aim) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", aim.what());
    json.put("aim", aim.aim());
    json.put("value", rounded(aim.value(), 3));
    json.put("reached", aim.reached());
    return json;
  }
}
