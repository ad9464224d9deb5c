/** Time in milliseconds to wait for a user who is about to enter the page. */
const PATIENCE = 3_000;

/**
 * Focuses a part of the page once the page has the keyboard focus. A VS Code page that focuses one
 * of its elements takes the keyboard focus away from anything the user opened in the meantime, such
 * as the command palette. Therefore, a late request waits until VS Code focuses the page, and is
 * dropped if VS Code doesn't do so in time.
 */
export function focusWhenHere(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
    return;
  }
  const came = (): void => {
    clearTimeout(timer);
    focus();
  };
  const timer = setTimeout(() => window.removeEventListener('focus', came), PATIENCE);
  window.addEventListener('focus', came, { once: true });
}
