/** How long somebody who comes to the page is still expected, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Takes the keyboard to a part of the page once the page has it. A page of VS Code that focuses one of its
 * elements takes the keyboard away from whatever a person opened in the meantime, such as the command palette:
 * so what comes late waits until VS Code gives the page the keyboard, and is dropped if it does not.
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
