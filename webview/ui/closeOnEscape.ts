/** Escape closes a part of the page while the keyboard is in it, and nothing around it. */
export function closeOnEscape(element: HTMLElement, close: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
}
