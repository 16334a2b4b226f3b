package io.hapax.chaos;

import io.hapax.demo.Mode;
import java.util.List;
import java.util.Locale;

/** The store of the marks, and the database of the shop that belongs to it. */
enum StoreKind {
  /** Marks and shop in one H2 file. */
  H2(ShopKind.H2, true),
  /** Marks and shop in one database behind H2's server. */
  H2_SERVER(ShopKind.H2_SERVER, true),
  /** Marks and shop in one PostgreSQL database. */
  POSTGRES(ShopKind.POSTGRES, true),
  /** Marks and shop in one MariaDB database. */
  MARIADB(ShopKind.MARIADB, true),
  /** Marks in Redis. An effect must be a row that can be counted, so the shop is in PostgreSQL. */
  REDIS(ShopKind.POSTGRES, false),
  /** Marks in a cluster of three Redis servers, and the shop in PostgreSQL. */
  REDIS_CLUSTER(ShopKind.POSTGRES, false);

  private final ShopKind shop;
  private final boolean marksInShop;

  StoreKind(ShopKind shop, boolean marksInShop) {
    this.shop = shop;
    this.marksInShop = marksInShop;
  }

  ShopKind shop() {
    return shop;
  }

  /** Returns whether the store runs in its own process. */
  boolean hasServer() {
    return this != H2;
  }

  /**
   * Returns whether marks and effects are in one database, so that one transaction can contain
   * both.
   */
  boolean marksInShop() {
    return marksInShop;
  }

  /** Returns the possible modes, the strongest guarantee first. */
  List<Mode> modes() {
    return marksInShop ? List.of(Mode.TRANSACTIONAL, Mode.LEASED) : List.of(Mode.LEASED);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
