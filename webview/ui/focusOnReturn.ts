/**
 * Gives the focus, which was in the page, to an element that is looked for then: at once, or whenever somebody
 * comes back to the page. While somebody writes elsewhere, an element that takes the focus takes the keyboard
 * to this page. What has not had it, but asks for it, uses `focusWhenHere`.
 */
export function focusOnReturn(find: () => HTMLElement | null | undefined): void {
  if (document.hasFocus()) find()?.focus();
  else {
    const comeBack = (): void => {
      if (document.activeElement === document.body) find()?.focus({ preventScroll: true });
    };
    addEventListener('focus', comeBack, { once: true });
  }
}

/** Draws, and gives the focus to the next element where the one that had it is not seen any more. */
export function passingFocusOn(draw: () => void, next: () => HTMLElement | null | undefined): void {
  const held = document.activeElement;
  draw();
  if (!held || held === document.body || held.checkVisibility()) return;
  const now = document.activeElement;
  if (now && now !== held && now !== document.body) return;
  focusOnReturn(next);
}
