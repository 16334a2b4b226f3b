package io.hapax.redrive;

/**
 * One dead letter to look at.
 *
 * @param id its message's id for people; empty if it has none
 * @param coordinates where the letter lies
 * @param note what it says of its message's end
 * @param answer what became of it
 */
public record RedriveSample(String id, String coordinates, DeadLetterNote note, Redriven answer) {}
