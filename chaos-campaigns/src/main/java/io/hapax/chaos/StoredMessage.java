package io.hapax.chaos;

/** A stored message: its order, and its unique name, which a copy made by the broker has too. */
record StoredMessage(String order, String name) {}
