package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import java.util.ArrayList;
import java.util.List;

/** Listens to a store. */
final class RecordedCalls {

  private RecordedCalls() {}

  /** The calls of the store from now on, each when it has ended. */
  static List<StoreCall> of(DedupStore store) {
    List<StoreCall> calls = new ArrayList<>();
    assertThat(store).isInstanceOf(ListenableStore.class);
    ((ListenableStore) store).listen(new StoreListener() {
      @Override
      public void onCall(StoreCall call) {
        calls.add(call);
      }
    });
    return calls;
  }
}
