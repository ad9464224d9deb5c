/**
 * Moves the focus, which was in the page, to an element that is looked up at that time:
 * immediately, or when the user returns to the page. While the user types elsewhere, focusing an
 * element would move the keyboard focus to this page. For an element that requests focus for the
 * first time, use `focusWhenHere`.
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

/** Redraws and, if the focused element is no longer visible, moves the focus to the next one. */
export function passingFocusOn(draw: () => void, next: () => HTMLElement | null | undefined): void {
  const held = document.activeElement;
  draw();
  if (!held || held === document.body || held.checkVisibility()) return;
  const now = document.activeElement;
  if (now && now !== held && now !== document.body) return;
  focusOnReturn(next);
}
