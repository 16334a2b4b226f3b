package io.hapax.demo.scene;

import java.time.Duration;

/**
 * A member of a topic's group.
 *
 * @param name its name. If a topic has one partition, it belongs to the member whose name sorts
 *     first
 * @param patience how long the broker waits for a member that does not ask for more messages,
 *     before it delivers the message to another one; at least 1 s. RocketMQ does not use it
 */
public record Member(String name, Duration patience) {

  public static final Member ALONE = new Member("alone", Duration.ofMinutes(5));
}
