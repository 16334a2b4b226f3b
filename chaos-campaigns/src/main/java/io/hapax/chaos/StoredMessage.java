package io.hapax.chaos;

/** A stored message: its order, its unique name, which a copy has too, and its place. */
record StoredMessage(String order, String name, int part, long offset) {}
