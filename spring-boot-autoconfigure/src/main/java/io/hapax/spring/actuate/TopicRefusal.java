package io.hapax.spring.actuate;

/**
 * The answer to a request that reads a topic, if there is no result.
 *
 * @param consumer the consumer
 * @param why why there is none
 */
public record TopicRefusal(String consumer, String why) {}
