package io.hapax.spring.rocketmq;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.spring.Idempotent;
import io.hapax.store.InMemoryDedupStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.core.RocketMQReplyListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with a listener of each kind, each with a topic of its own. */
@Configuration(proxyBeanMethods = false)
@Import({
  Shop.Orders.class,
  Shop.Invoices.class,
  Shop.Payments.class,
  Shop.Steps.class,
  Shop.Questions.class,
  InMemoryDedupStore.class
})
class Shop {

  static final String ORDERS = "orders";
  static final String INVOICES = "invoices";
  static final String PAYMENTS = "payments";
  static final String STEPS = "steps";
  static final String QUESTIONS = "questions";

  @Bean
  Outcomes outcomes() {
    return new Outcomes();
  }

  /** What became of the messages, in the order of their outcomes. */
  static final class Outcomes implements ReceiverListener {

    final List<Outcome> all = new CopyOnWriteArrayList<>();

    @Override
    public void onOutcome(String coordinates, Outcome outcome) {
      all.add(outcome);
    }

    long count(Class<? extends Outcome> kind) {
      return all.stream().filter(kind::isInstance).count();
    }
  }

  /** Takes texts, and finds the id in a property. */
  @Idempotent(id = "header:order-id")
  @RocketMQMessageListener(topic = ORDERS, consumerGroup = "billing")
  static class Orders implements RocketMQListener<String>, FastClient {

    final List<String> handled = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(String order) {
      handled.add(order);
    }
  }

  /** An invoice. */
  record Invoice(String number, int amount) {}

  /** Takes objects, and finds the id in them. */
  @Idempotent(id = "#{payload.number}")
  @RocketMQMessageListener(topic = INVOICES, consumerGroup = "accounting")
  static class Invoices implements RocketMQListener<Invoice>, FastClient {

    final List<Invoice> handled = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Invoice invoice) {
      handled.add(invoice);
    }
  }

  /** Fails for each message until it may succeed. */
  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = PAYMENTS, consumerGroup = "bank")
  static class Payments implements RocketMQListener<MessageExt>, FastClient {

    final Map<String, Integer> calls = new ConcurrentHashMap<>();
    final List<String> reconsumed = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(MessageExt payment) {
      reconsumed.add(payment.getKeys() + ' ' + payment.getReconsumeTimes());
      int call = calls.merge(payment.getKeys(), 1, Integer::sum);
      if (payment.getKeys().startsWith("bad") || call == 1) {
        throw new IllegalStateException("the bank does not answer to call " + call);
      }
    }
  }

  /** Takes messages in their order; the first call for "b" fails. */
  @Idempotent(id = "json:/step")
  @RocketMQMessageListener(
      topic = STEPS,
      consumerGroup = "workflow",
      consumeMode = ConsumeMode.ORDERLY)
  static class Steps implements RocketMQListener<Map<String, String>>, FastClient {

    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Map<String, String> message) {
      String step = message.getOrDefault("step", "");
      boolean first = !calls.contains(step);
      calls.add(step);
      if (step.equals("b") && first) {
        throw new IllegalStateException("not yet");
      }
    }
  }

  /** Answers requests. */
  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = QUESTIONS, consumerGroup = "answers")
  static class Questions implements RocketMQReplyListener<String, String>, FastClient {

    @Override
    public String onMessage(String question) {
      return question + "!";
    }
  }
}
