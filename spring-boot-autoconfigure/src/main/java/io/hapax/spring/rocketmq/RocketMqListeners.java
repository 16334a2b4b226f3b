package io.hapax.spring.rocketmq;

import io.hapax.health.Problem;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** Attaches receivers to containers, checks groups after the start, and drains before the stop. */
public final class RocketMqListeners
    implements SmartLifecycle, ProblemSource, ListenerTopics.Source {

  private final ConfigurableListableBeanFactory beans;
  private final ListenerSettingsResolver resolver;
  private final Receivers receivers;
  private final List<AttachedContainer> attached = new CopyOnWriteArrayList<>();
  private volatile boolean running;

  public RocketMqListeners(
      ConfigurableListableBeanFactory beans,
      ListenerSettingsResolver resolver,
      Receivers receivers) {
    this.beans = beans;
    this.resolver = resolver;
    this.receivers = receivers;
  }

  /** Attaches before the start of a container, which is a bean that rocketmq-spring makes. */
  public static BeanPostProcessor attaching(BeanFactory beans) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DefaultRocketMQListenerContainer container) {
          ListenerBean.of(container)
              .ifPresent(
                  it -> beans.getBean(RocketMqListeners.class).attach(beanName, container, it));
        }
        return bean;
      }
    };
  }

  void attach(String bean, DefaultRocketMQListenerContainer container, ListenerBean listener) {
    ListenerDefinition settings = resolver.resolve(
        listener.name(),
        listener.annotation(),
        RocketMqReceiver.consumerName(container.getConsumer()));
    ContainerChecks checks = new ContainerChecks(container, listener, settings);
    checks.refuseUnsafe();
    attached.forEach(each -> checks.refuseSharing(each.checks()));
    checks.warn();
    attached.add(AttachedContainer.of(checks, receivers, beans));
    orderShutdown(bean);
  }

  /** This object drains before the container shuts down, and the receivers close after it. */
  private void orderShutdown(String container) {
    for (String own : beans.getBeanNamesForType(RocketMqListeners.class)) {
      beans.registerDependentBean(container, own);
    }
    for (String closing : beans.getBeanNamesForType(Receivers.class)) {
      beans.registerDependentBean(closing, container);
    }
  }

  @Override
  public List<ListenerTopics> topics() {
    return attached.stream().map(AttachedContainer::topics).toList();
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    return ProblemSource.grouped(
        attached.stream(), AttachedContainer::consumer, each -> each.problems(running));
  }

  /** Fails if brokers would lose messages or do not answer, or refuse a dead-letter topic. */
  @Override
  public void start() {
    running = true;
    for (AttachedContainer each : attached) {
      try {
        each.attachment().requireSafeGroup();
      } catch (MQClientException e) {
        throw new IllegalStateException("the checks at start failed: " + e.getErrorMessage(), e);
      }
    }
  }

  @Override
  public void stop() {
    List<Thread> draining = attached.stream()
        .map(it -> new Thread(it.attachment()::drain, "hapax-rocketmq-draining"))
        .toList();
    draining.forEach(Thread::start);
    try {
      for (Thread each : draining) {
        each.join(); // it ends within its drain timeout
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the containers wait on their own
    }
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
