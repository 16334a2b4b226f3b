package io.hapax.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StoreListenersTest {

  private final StoreListeners listeners = new StoreListeners();
  private final List<StoreCall> calls = new ArrayList<>();

  private final StoreListener listener = new StoreListener() {
    @Override
    public void onCall(StoreCall call) {
      calls.add(call);
    }
  };

  @ParameterizedTest
  @MethodSource("troubles")
  void an_exception_is_reported_by_its_kind_and_thrown(Exception thrown, StoreCall.ErrorKind kind) {
    listeners.listen(listener);

    assertThatThrownBy(() -> listeners.call(StoreCall.Verb.RUN_ONCE, 2, () -> {
          throw thrown;
        }))
        .isSameAs(thrown);

    assertThat(calls).singleElement().extracting(StoreCall::error).isEqualTo(Optional.of(kind));
  }

  static List<Arguments> troubles() {
    return List.of(
        Arguments.of(new StoreException("refused"), StoreCall.ErrorKind.FAILED),
        Arguments.of(
            new StoreContentionException("deadlock", new IOException()),
            StoreCall.ErrorKind.CONTENTION),
        Arguments.of(
            new CommitUnknownException("cut", new IOException()),
            StoreCall.ErrorKind.COMMIT_UNKNOWN),
        Arguments.of(
            new BrokenTransactionException("committed"), StoreCall.ErrorKind.BROKEN_TRANSACTION),
        Arguments.of(new IOException("the gateway is away"), StoreCall.ErrorKind.CALLER),
        Arguments.of(new IllegalArgumentException("limit is 0"), StoreCall.ErrorKind.CALLER));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  /** One in another language may throw checked exceptions that no signature declares. */
  static List<Throwable> errors() {
    return List.of(new IllegalStateException("full"), new IOException("the gateway is away"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void a_listener_that_throws_harms_neither_the_call_nor_the_next_listener(Throwable error) {
    listeners.listen(new StoreListener() {
      @Override
      public void onCall(StoreCall call) {
        throw StoreListenersTest.<RuntimeException>sneaky(error);
      }
    });
    listeners.listen(listener);

    assertThat(listeners.call(StoreCall.Verb.PURGE, 10, () -> 7)).isEqualTo(7);

    assertThat(calls).hasSize(1);
  }

  @Test
  void an_ended_registration_ends_itself_only() {
    ListenableStore.Registration first = listeners.listen(listener);
    ListenableStore.Registration second = listeners.listen(listener);
    first.close();
    first.close();

    assertThat(listeners.call(StoreCall.Verb.PURGE, 1, () -> 0)).isZero();
    assertThat(calls).hasSize(1);

    second.close();
    assertThat(listeners.call(StoreCall.Verb.PURGE, 1, () -> 0)).isZero();
    assertThat(calls).hasSize(1);
  }

  @Test
  void losses_and_forgotten_marks_are_reported() {
    List<String> told = new ArrayList<>();
    listeners.listen(new StoreListener() {
      @Override
      public void onDataLost(StoreLoss loss) {
        told.add("lost " + loss.place());
      }

      @Override
      public void onForgotten(int marks) {
        told.add("forgotten " + marks);
      }
    });

    listeners.onDataLost(new StoreLoss("shard 3", StoreLoss.Extent.EVERYTHING));
    listeners.onForgotten(5);

    assertThat(told).containsExactly("lost shard 3", "forgotten 5");
  }
}
