/**
 * Closes a part of the page when the user presses Escape while the part has focus. Surrounding
 * parts stay open.
 */
export function closeOnEscape(element: HTMLElement, close: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
}
