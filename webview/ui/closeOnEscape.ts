/**
 * Closes a part of the page, and nothing around it, when the user presses Escape while it has
 * focus.
 */
export function closeOnEscape(element: HTMLElement, close: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
}
