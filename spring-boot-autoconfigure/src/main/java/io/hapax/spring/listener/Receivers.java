package io.hapax.spring.listener;

import io.hapax.BatchHandler;
import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.OutcomeProbe;
import io.hapax.ReceiverBuilder;
import io.hapax.ReceiverListener;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.errors.DeferredException;
import io.hapax.spring.CurrentDelivery;
import io.hapax.spring.transaction.SpringTransactionFrame;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;

/** Builds the receivers of the listeners, and closes them after their containers. */
public final class Receivers implements DisposableBean {

  private static final Logger LOG = LoggerFactory.getLogger(Receivers.class);

  private final ListableBeanFactory beans;
  private final Stores stores;
  private final List<OpenReceiver> open = new CopyOnWriteArrayList<>();
  private volatile boolean paused;

  public Receivers(ListableBeanFactory beans) {
    this.beans = beans;
    this.stores = new Stores(beans);
  }

  public <M> IdempotentReceiver<M> open(
      ListenerDefinition settings,
      MessageFields<M> fields,
      ListenerCode<M> code,
      Optional<DeadLetterPublisher<M>> deadLetters,
      Consumer<ReceiverBuilder<M>> ofBroker) {
    DedupStore store = stores.of(settings);
    boolean transactional = stores.transactional(settings, store);
    IdempotentReceiver<M> receiver = receiver(
        builder(settings, fields, deadLetters, ofBroker),
        store,
        transactional,
        decorated(settings, fields, code));
    OpenReceiver opened = new OpenReceiver(settings, receiver, store);
    open.add(opened);
    beans
        .getBeanProvider(OpenReceiverListener.class)
        .orderedStream()
        .forEach(each -> each.opened(settings.consumer(), of(settings.consumer())));
    LOG.info(
        "{} is idempotent: consumer {}, {} mode, id {}, store {}",
        settings.listener(),
        settings.consumer(),
        opened.mode(),
        settings.id(),
        store.getClass().getSimpleName());
    return receiver;
  }

  private <M> ReceiverBuilder<M> builder(
      ListenerDefinition settings,
      MessageFields<M> fields,
      Optional<DeadLetterPublisher<M>> deadLetters,
      Consumer<ReceiverBuilder<M>> ofBroker) {
    MessageExpressions<M> expressions = new MessageExpressions<>(fields, beans);
    ReceiverBuilder<M> builder = IdempotentReceiver.<M>builder(settings.consumer())
        .id(expressions.id(settings))
        .fingerprint(expressions.fingerprint(settings))
        .onUnknownOutcome(policy(settings));
    settings.applyTo(builder);
    ofBroker.accept(builder);
    deadLetters.ifPresent(builder::deadLetters);
    beans.getBeanProvider(ReceiverListener.class).orderedStream().forEach(builder::listener);
    beans
        .getBeanProvider(ReceiverCustomizer.class)
        .orderedStream()
        .forEach(each -> each.customize(settings, builder));
    return builder;
  }

  @SuppressWarnings("unchecked") // what the bean reads is not known at run time
  private <M> UnknownOutcomePolicy<M> policy(ListenerDefinition settings) {
    String text = settings.onUnknownOutcome();
    if (text.equals("rerun")) {
      return UnknownOutcomePolicy.rerun();
    } else if (text.equals("dead-letter")) {
      return UnknownOutcomePolicy.deadLetter();
    } else if (text.startsWith("probe:")) {
      String name = text.substring("probe:".length());
      if (beans.containsBean(name) && beans.isTypeMatch(name, OutcomeProbe.class)) {
        return UnknownOutcomePolicy.probe((OutcomeProbe<M>) beans.getBean(name));
      }
    }
    throw new RefusedListenerException(
        settings.listener(),
        "onUnknownOutcome is '" + text + "'",
        "That is no policy.",
        "Use rerun, dead-letter, or probe:NAME with the name of a bean of type OutcomeProbe.");
  }

  private <M> ListenerCode<M> decorated(
      ListenerDefinition settings, MessageFields<M> fields, ListenerCode<M> code) {
    ListenerCode<M> decorated = code;
    for (ListenerCode.Decorator each :
        beans.getBeanProvider(ListenerCode.Decorator.class).orderedStream().toList()) {
      decorated = each.decorate(settings, fields, decorated);
    }
    return decorated;
  }

  @SuppressWarnings("unchecked") // the stores of databases hand out a connection, which is not used
  private <M> IdempotentReceiver<M> receiver(
      ReceiverBuilder<M> builder, DedupStore store, boolean transactional, ListenerCode<M> code) {
    boolean batches = code instanceof ListenerCode.Batches;
    BatchHandler<M> handler = deliveries ->
        CurrentDelivery.during(deliveries, () -> code.batchHandler().handle(deliveries));
    if (transactional) {
      TransactionalHandler<M, Object> started = batches
          ? (connection, deliveries) -> handler.handle(deliveries)
          : TransactionalHandler.forEach((connection, delivery) -> {
            SpringTransactionFrame.beginMessage();
            handler.handle(List.of(delivery));
          });
      return builder.transactional(
          (TransactionalDedupStore<Object>) store, (connection, messages) -> {
            requireStart(); // not before each message: a transaction that has begun ends
            started.handle(connection, messages);
          });
    }
    BatchHandler<M> pausable = deliveries -> {
      requireStart();
      handler.handle(deliveries);
    };
    return batches
        ? builder.leasedBatches(store, pausable)
        : builder.leased(store, delivery -> pausable.handle(List.of(delivery)));
  }

  private void requireStart() {
    if (paused) {
      throw new DeferredException(Duration.ZERO, "the application shuts down");
    }
  }

  public List<OpenReceiver> all() {
    return open.stream()
        .sorted(Comparator.comparing(it -> it.settings().listener()))
        .toList();
  }

  public List<String> consumers() {
    return all().stream().map(it -> it.settings().consumer()).distinct().toList();
  }

  public List<OpenReceiver> of(String consumer) {
    return all().stream()
        .filter(it -> it.settings().consumer().equals(consumer))
        .toList();
  }

  /**
   * Defers each message whose listener was not called: it uses no attempt. For the beginning of a
   * shutdown, so that containers wait for running calls only.
   */
  public void pause() {
    paused = true;
  }

  public void resume() {
    paused = false;
  }

  /** Call it after the containers have stopped, and before the stores are closed. */
  public void close() {
    open.forEach(it -> it.receiver().close());
  }

  @Override
  public void destroy() {
    close();
  }
}
