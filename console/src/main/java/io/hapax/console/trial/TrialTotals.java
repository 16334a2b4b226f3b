package io.hapax.console.trial;

/**
 * The effects of all orders with one kind of consumer.
 *
 * @param orders the number of orders that were placed
 * @param effects the number of effects
 * @param waiting the number of orders without an effect
 * @param twice the number of orders with more than one effect
 * @param explained the number of orders among these whose repeats counted events explain
 */
public record TrialTotals(long orders, long effects, long waiting, long twice, long explained) {}
