package io.hapax.demo;

import java.util.List;
import java.util.Locale;

/** Where the marks are, and which database holds the shop then. */
enum StoreKind {
  /** Marks and shop in one H2 file. */
  H2(ShopKind.H2, true),
  /** Marks and shop in one PostgreSQL database. */
  POSTGRES(ShopKind.POSTGRES, true),
  /** Marks and shop in one MariaDB database. */
  MARIADB(ShopKind.MARIADB, true),
  /** Marks in Redis; an effect must be a row that can be counted, so the shop is in PostgreSQL. */
  REDIS(ShopKind.POSTGRES, false),
  /** The same with three Redis servers that form a cluster. */
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

  /** Whether it runs in a process of its own. */
  boolean hasServer() {
    return this != H2;
  }

  /** Whether marks and effects are in one database, so that one transaction can hold both. */
  boolean marksInShop() {
    return marksInShop;
  }

  /** What the store can do, the strongest promise first. */
  List<Mode> modes() {
    return marksInShop ? List.of(Mode.TRANSACTIONAL, Mode.LEASED) : List.of(Mode.LEASED);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
