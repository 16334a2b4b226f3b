package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Returns all figures of a run by name. */
final class StoresJson {

  private StoresJson() {}

  static Map<String, Object> of(StoresResults results) {
    StoresSettings settings = results.settings();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "stores");
    json.put("date", results.date().toString());
    json.put("machine", results.machine());
    json.put("loadBefore", results.loadBefore());
    json.put("loadAfter", results.loadAfter());
    json.put("rounds", settings.pace().rounds());
    json.put("roundMillis", settings.pace().millis());
    json.put("servers", servers(results));
    json.put("results", results.rows().stream().map(StoresJson::row).toList());
    json.put("leftOut", results.leftOut());
    json.put("aims", Aim.of(results.rows()).stream().map(Aim::json).toList());
    return json;
  }

  private static Map<String, Object> servers(StoresResults results) {
    Map<String, Object> json = new LinkedHashMap<>();
    results.servers().forEach((store, settings) -> json.put(store.toString(), settings));
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

  private static Map<String, Object> measured(Measurement measured) {
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
}
