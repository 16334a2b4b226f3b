package io.hapax.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * The most expensive methods of a piece of work, sampled by Flight Recorder.
 *
 * @param time methods by their share of the samples
 * @param timeOfHapax methods of Hapax by their share, with their callees
 * @param bytes methods of Hapax by their share of the allocated bytes, with their callees, and the
 *     type
 */
record HotSpots(List<Spot> time, List<Spot> timeOfHapax, List<Spot> bytes) {

  private static final String TIME = "jdk.ExecutionSample";
  private static final String BYTES = "jdk.ObjectAllocationSample";
  private static final int SHOWN = 15;

  /**
   * A place in the code.
   *
   * @param where class and method
   * @param share share of the whole, 0 to 1
   */
  record Spot(String where, double share) {}

  /** A piece of work. */
  interface Work {
    void run() throws Exception;
  }

  /** Runs a piece of work under the recorder. */
  static HotSpots of(Work work) throws Exception {
    Path file = Files.createTempFile("hapax-bench-", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(TIME).withPeriod(Duration.ofMillis(10));
      recording.enable(BYTES).with("throttle", "2000/s");
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
      return read(file);
    } finally {
      Files.delete(file);
    }
  }

  private static HotSpots read(Path file) throws IOException {
    Map<String, Double> time = new HashMap<>();
    Map<String, Double> ours = new HashMap<>();
    Map<String, Double> bytes = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getStackTrace() == null || isExcluded(event.getStackTrace().getFrames())) {
        continue;
      }
      List<RecordedFrame> frames = event.getStackTrace().getFrames();
      if (event.getEventType().getName().equals(TIME)) {
        frames.stream().findFirst().ifPresent(top -> add(time, name(top), 1));
        add(ours, own(frames).map(HotSpots::name).orElse("(outside of Hapax)"), 1);
      } else if (event.getEventType().getName().equals(BYTES)) {
        String type = event.getClass("objectClass").getName();
        own(frames)
            .ifPresent(frame ->
                add(bytes, name(frame) + " " + simple(type), (double) event.getLong("weight")));
      }
    }
    return new HotSpots(top(time), top(ours), top(bytes));
  }

  /** Returns whether the sample belongs to the creation of messages or to the sampling itself. */
  private static boolean isExcluded(List<RecordedFrame> frames) {
    return frames.stream().anyMatch(frame -> name(frame).equals("Task.prepare"))
        || own(frames).filter(frame -> name(frame).startsWith("HotSpots.")).isPresent();
  }

  private static Optional<RecordedFrame> own(List<RecordedFrame> frames) {
    return frames.stream()
        .filter(frame -> frame.getMethod().getType().getName().startsWith("io.hapax."))
        .findFirst();
  }

  private static String name(RecordedFrame frame) {
    return simple(frame.getMethod().getType().getName()) + "."
        + frame.getMethod().getName();
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  private static void add(Map<String, Double> shares, String where, double weight) {
    shares.merge(where, weight, Double::sum);
  }

  private static List<Spot> top(Map<String, Double> weights) {
    double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    return weights.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(SHOWN)
        .map(entry -> new Spot(entry.getKey(), entry.getValue() / all))
        .toList();
  }

  /** Returns a list as text. */
  String text() {
    StringBuilder text = new StringBuilder();
    list(text, "time, by method", time);
    list(text, "time, by the innermost method of Hapax", timeOfHapax);
    list(text, "bytes, by the innermost method of Hapax and type", bytes);
    return text.toString();
  }

  private static void list(StringBuilder text, String title, List<Spot> spots) {
    text.append("  ").append(title).append('\n');
    spots.forEach(spot ->
        text.append(Benchmark.format("    %5.1f %% %s%n", 100 * spot.share(), spot.where())));
  }
}
