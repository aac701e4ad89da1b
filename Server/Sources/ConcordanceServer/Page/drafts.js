// Which states of a view become entries of the browser's history.
import { link, navigate } from "./app.js";

// A pause after which the user has probably read the results.
const pauseTime = 1500;

/// Returns an object that writes the states of a view to the URL. While the user types, the URL changes but the history
/// does not get an entry for each key: an entry is added if the user pauses, presses Enter or leaves the input.
export function draftHistory(initial) {
  let committed = initial, current = initial, timer = null;

  /// Adds an entry for the text that the user typed, after that of the text before.
  function commit() {
    clearTimeout(timer);
    if (link(current) === link(committed)) return;
    navigate(committed, { replace: true, render: false });
    navigate(current, { render: false });
    committed = current;
  }

  return {
    commit,
    type(state) {
      current = state;
      navigate(state, { replace: true, render: false });
      clearTimeout(timer);
      timer = setTimeout(commit, pauseTime);
    },
    /// Adds an entry for a state that the user chose, such as a filter.
    choose(state) {
      commit();
      current = state;
      commit();
    },
    /// Another view has the URL now.
    end() { clearTimeout(timer); current = committed; },
  };
}
