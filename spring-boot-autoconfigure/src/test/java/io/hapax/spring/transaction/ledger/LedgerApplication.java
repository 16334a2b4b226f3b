package io.hapax.spring.transaction.ledger;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without listeners: the tests hand messages in themselves. */
@SpringBootApplication
public class LedgerApplication {}
