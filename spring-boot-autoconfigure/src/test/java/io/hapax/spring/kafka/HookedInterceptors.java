package io.hapax.spring.kafka;

import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/** Interceptors that call a hook with the name of each of their methods, and their consumer. */
final class HookedInterceptors {

  private HookedInterceptors() {}

  record OfRecords(BiConsumer<String, Consumer<?, ?>> hook)
      implements RecordInterceptor<Object, Object> {

    @Override
    public void setupThreadState(Consumer<?, ?> consumer) {
      hook.accept("setupThreadState", consumer);
    }

    @Override
    public ConsumerRecord<Object, Object> intercept(
        ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
      hook.accept("intercept", consumer);
      return record;
    }

    @Override
    public void success(ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
      hook.accept("success", consumer);
    }

    @Override
    public void afterRecord(
        ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
      hook.accept("afterRecord", consumer);
    }

    @Override
    public void clearThreadState(Consumer<?, ?> consumer) {
      hook.accept("clearThreadState", consumer);
    }
  }

  record OfBatches(BiConsumer<String, Consumer<?, ?>> hook)
      implements BatchInterceptor<Object, Object> {

    @Override
    public void setupThreadState(Consumer<?, ?> consumer) {
      hook.accept("setupThreadState", consumer);
    }

    @Override
    public ConsumerRecords<Object, Object> intercept(
        ConsumerRecords<Object, Object> records, Consumer<Object, Object> consumer) {
      hook.accept("intercept", consumer);
      return records;
    }

    @Override
    public void success(
        ConsumerRecords<Object, Object> records, Consumer<Object, Object> consumer) {
      hook.accept("success", consumer);
    }

    @Override
    public void clearThreadState(Consumer<?, ?> consumer) {
      hook.accept("clearThreadState", consumer);
    }
  }
}
