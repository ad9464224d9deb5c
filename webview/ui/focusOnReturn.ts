/**
 * If the focus was in the page, moves it to an element: immediately, or when the user returns to
 * the page. The element is looked up at that time. Focusing an element while the user types
 * elsewhere would move the keyboard focus to this page. To focus an element for the first time, use
 * `focusWhenHere`.
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

/**
 * Redraws and, if the focused element is no longer visible, moves the focus to the element that
 * `next` returns.
 */
export function passingFocusOn(draw: () => void, next: () => HTMLElement | null | undefined): void {
  const focused = document.activeElement;
  draw();
  if (!focused || focused === document.body || focused.checkVisibility()) return;
  const now = document.activeElement;
  if (now && now !== focused && now !== document.body) return;
  focusOnReturn(next);
}
