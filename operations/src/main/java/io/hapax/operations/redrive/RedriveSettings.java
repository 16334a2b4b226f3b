package io.hapax.operations.redrive;

import io.hapax.operations.text.Text;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Restricts what a redrive may publish, and where. A dead-letter record names the topic that its
 * message came from, but any producer of the dead-letter topic can write that name. So the record
 * is refused unless the operator has allowed the topic.
 *
 * @param targets the topics that messages may be published to
 * @param acceptUnmarked whether a message is published although the store has no mark of it: it may
 *     have taken effect before, and Hapax may not have written the record
 * @param control selects, slows down, stops and follows the records of a run, on the run's thread.
 *     One that keeps the state of a run is for one run: then the settings are too
 */
public record RedriveSettings(Set<String> targets, boolean acceptUnmarked, RedriveControl control) {

  /**
   * Copies the topics.
   *
   * @param targets at least one, none of them blank
   * @param acceptUnmarked whether records without a mark are published
   * @param control selects, slows down, stops and follows the records of a run
   * @throws IllegalArgumentException if there is no topic, or a blank one
   */
  public RedriveSettings {
    if (targets.isEmpty() || targets.stream().anyMatch(String::isBlank)) {
      throw Text.of("redrive.targets", targets).refusal();
    }
    targets = Collections.unmodifiableSet(new LinkedHashSet<>(targets));
  }

  /**
   * Redrives every selected record, as fast as possible.
   *
   * @param targets at least one, none of them blank
   * @param acceptUnmarked whether records without a mark are published
   * @throws IllegalArgumentException if there is no topic, or a blank one
   */
  public RedriveSettings(Set<String> targets, boolean acceptUnmarked) {
    this(targets, acceptUnmarked, RedriveControl.NONE);
  }

  /**
   * {@return settings that allow some topics, and refuse records without a mark}
   *
   * @param targets the topics that messages may be published to
   * @throws IllegalArgumentException if there is no topic, or a blank one
   */
  public static RedriveSettings to(String... targets) {
    return new RedriveSettings(new LinkedHashSet<>(List.of(targets)), false);
  }

  /** {@return settings that accept messages without a mark} */
  public RedriveSettings acceptingUnmarked() {
    return new RedriveSettings(targets, true, control);
  }

  /**
   * {@return settings with a control of the run, which replaces the one before}
   *
   * @param with selects, slows down, stops and follows the records of a run
   */
  public RedriveSettings controlledBy(RedriveControl with) {
    return new RedriveSettings(targets, acceptUnmarked, with);
  }

  Optional<Text> refusal(String topic) {
    return targets.contains(topic)
        ? Optional.empty()
        : Optional.of(Text.of("record.target", topic, String.join(", ", targets)));
  }
}
