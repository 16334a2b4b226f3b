package io.hapax.operations.replay;

/**
 * How far a group is in a topic, by its committed offsets: what it has acknowledged, not what took
 * effect.
 *
 * @param lag how many offsets it has not committed, up to the end of the topic; a partition without
 *     a committed offset counts as a whole. At least the number of messages: on Kafka markers of
 *     transactions and compacted records have offsets too. Not negative
 * @param members how many members, on RocketMQ connected clients, the whole group has, whichever
 *     topics they read; one that died counts until the brokers notice it
 */
public record GroupStatus(long lag, int members) {}
